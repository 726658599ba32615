import { signal } from '@preact/signals';

/** Counts the answers that said that the session has ended. */
export const sessionEndings = signal(0);

/** Notes that an answer said that the session has ended. */
export const endSession = (): void => {
  sessionEndings.value++;
};
