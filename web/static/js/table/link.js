// The connection to the table: receives the newest state, sends actions, and notices at once when it is cut.

import { withMoves } from '../board/seats.js';
import { asHolder, claim } from '../lib/holder.js';

const RETRY_MS = 500;
const ASK_MS = 1000;
const POLL_MS = 1500;
const CONNECT_MS = 3000;

export class Link extends EventTarget {
  /** Events: 'state' (detail: the state), 'line' (detail: 'open' | 'cut' | 'gone'). */
  constructor(beatMs, query = '') {
    super();
    this.query = query; // what part of the state is wanted
    this.silenceMs = beatMs * 2 + 500;
    this.state = null; // the newest state, with the moves entered so far carried out, and what this device may do
    this.received = null; // the newest state as the table sent it
    this.line = 'opening';
    this.fresh = false; // no state has come over this stream yet
    this.answered = false; // the last plain request was answered
    this.polls = 0;
    this.ahead = 0; // ms by which the table's clock is ahead of this browser's
    this.source = null;
    this.timer = 0;
    window.addEventListener('offline', () => this.cut());
    window.addEventListener('online', () => this.open());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.line !== 'open') this.open();
    });
  }

  open() {
    if (this.line === 'gone') return;
    clearTimeout(this.timer);
    this.source?.close();
    this.fresh = true;
    const source = new EventSource(`/api/events${this.query}`);
    this.source = source;
    this.watch(CONNECT_MS);
    source.addEventListener('message', (event) => this.take(JSON.parse(event.data)));
    source.addEventListener('beat', (event) => {
      this.ahead = Number(event.data) - Date.now();
      this.alive();
    });
    source.addEventListener('gone', () => this.leave());
    source.addEventListener('error', () => {
      if (this.source !== source) return;
      if (this.fresh && this.answered) this.poll();
      else this.cut();
    });
  }

  /** The time at the table, ms since 1970. */
  now() {
    return Date.now() + this.ahead;
  }

  watch(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.cut(), ms);
  }

  alive() {
    this.watch(this.silenceMs);
    this.setLine('open');
  }

  take(state) {
    this.alive();
    this.accept(state, this.fresh);
    this.fresh = false;
    this.answered = false;
  }

  // After a reconnection any state of the table is right, even with a smaller seq: it may have restarted.
  accept(state, anew = false) {
    if (!anew && this.state && state.seq < this.state.seq) return;
    this.received = state;
    this.state = asHolder(withMoves(state));
    this.dispatchEvent(new CustomEvent('state', { detail: this.state }));
  }

  /** Answer for who sits at this device's seat now. */
  claim() {
    claim(this.received);
    if (this.received) this.accept(this.received);
  }

  cut() {
    if (this.line === 'gone') return;
    this.source?.close();
    this.source = null;
    this.answered = false;
    this.setLine('cut');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), RETRY_MS);
  }

  // A plain request first: it distinguishes a revoked code (403) from a dead connection.
  async ask() {
    try {
      const answer = await fetch(`/api/state${this.query}`, { cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) });
      if (answer.status === 403) return this.leave();
      if (answer.ok) {
        this.accept(await answer.json(), true);
        this.answered = true;
        return this.polls % 10 ? this.poll() : this.open();
      }
    } catch {
      // still cut off
    }
    this.polls = 0;
    this.cut();
  }

  // No stream is free: poll, and try for a stream at every tenth request.
  poll() {
    this.source?.close();
    this.source = null;
    this.polls += 1;
    this.setLine('open');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), POLL_MS);
  }

  leave() {
    this.source?.close();
    clearTimeout(this.timer);
    this.setLine('gone');
  }

  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    this.dispatchEvent(new CustomEvent('line', { detail: line }));
  }

  /** Send an action; the answer is {ok} or {ok: false, status, detail, say}. */
  async act(body) {
    const seq = this.state ? this.state.seq : 0;
    let answer;
    try {
      answer = await fetch('/api/act', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ seq, ...body }),
        signal: AbortSignal.timeout(8000),
      });
    } catch {
      this.cut();
      return { ok: false, status: 0, detail: '' };
    }
    const reply = await answer.json().catch(() => ({}));
    if (answer.ok) {
      this.accept(reply);
      return { ok: true };
    }
    return { ok: false, status: answer.status, detail: reply.detail || '', say: reply.say };
  }
}
