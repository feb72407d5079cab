// Text copied to the clipboard.

/** Copy a text; over plain HTTP a page has no clipboard of its own, and copies what is selected. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.setAttribute('readonly', '');
    field.style.position = 'fixed';
    field.style.opacity = '0';
    (document.querySelector('dialog[open]') ?? document.body).append(field); // a dialog keeps the focus within it
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}
