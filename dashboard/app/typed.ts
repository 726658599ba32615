import { effect } from '@preact/signals';
import { path } from './address.ts';

let isTyped = false;

/** Reports whether somebody has typed into the page that is open, and has not saved it. */
export const hasTyped = (): boolean => isTyped;

/** Call it once what was typed is saved, or is no longer wanted. */
export const forgetTyped = (): void => {
  isTyped = false;
};

/** Notices typing. The text of a search is in the address, so that it is not lost. */
export function noticeTyping(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target as Element).closest('search, [role="combobox"], .auth')) isTyped = true;
  });
  effect(() => {
    void path.value;
    forgetTyped();
  });
}
