import { signal } from '@preact/signals';

/** Counts the answers that said that the session has ended. */
export const sessionEndings = signal(0);

export const endSession = (): void => {
  sessionEndings.value++;
};
