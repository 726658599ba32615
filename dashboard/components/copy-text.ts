/**
 * Copies a text, and returns true if it was copied. Browsers have no clipboard on plain HTTP, except on the
 * machine itself. In that case a selected field beside the button is copied. The field must be in the open
 * dialog, because the rest of the page is inert.
 */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text, button);
  }
}

function copySelection(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden';
  button.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied;
}
