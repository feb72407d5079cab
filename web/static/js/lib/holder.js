// Whose a player's device is. Its role belongs to a seat; when somebody else comes to sit there, by swapped seats, in the
// next game of a chouette or after the captain's pass, the device answers for nobody until it is told whose it is.

const KEY = 'holder';
const { role, seat } = document.body.dataset;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {}; // a browser without storage: whose it is lasts as long as the page
  }
}

let known = read();

function write(name) {
  known = { seat, name };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // as above
  }
}

/** The name of who sits at this device's seat now, if the device is another player's of this match; '' otherwise. */
export function stranger(state) {
  if (role !== 'player' || !state?.match) return '';
  const { players } = state.match;
  if (known.seat === seat && known.name === players[seat]) return '';
  const playing = state.chouette ? state.chouette.map((one) => one.name) : Object.values(players);
  if (known.seat === seat && playing.includes(known.name)) return players[seat];
  write(players[seat]); // the first time, another seat was chosen, or the name was corrected
  return '';
}

/** From now on this device answers for who sits at its seat. */
export const claim = (state) => role === 'player' && state?.match && write(state.match.players[seat]);

/** The state with what this device may do for the player whose it is. */
export const asHolder = (state) => (stranger(state) ? { ...state, may: state.may.filter((kind) => kind === 'call_director') } : state);
