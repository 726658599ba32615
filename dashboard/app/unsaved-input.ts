import { effect } from '@preact/signals';
import { path } from './address.ts';

let isThere = false;

/** Reports whether somebody has typed into the page that is open, and has not saved it. */
export const hasUnsavedInput = (): boolean => isThere;

/** Forgets the input. Forms call this when they are saved, and the session when the person leaves it. */
export const forgetUnsavedInput = (): void => {
  isThere = false;
};

/** Notices input until the next page. The text of a search is in the address, so that it is not lost. */
export function noticeInput(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target as Element).closest('search, [role="combobox"], .auth')) isThere = true;
  });
  effect(() => {
    void path.value;
    forgetUnsavedInput();
  });
}
