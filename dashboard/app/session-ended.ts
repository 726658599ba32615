import { signal } from '@preact/signals';

/** Counts the answers that said that the session has ended. */
export const sessionEndings = signal(0);

/** Counts the answers that said that the person may not do something. */
export const roleRefusals = signal(0);

/** Notes that an answer refused the person, whose role or organizations may have changed. */
export const noteRefusedRole = (): void => {
  roleRefusals.value++;
};

/** Notes that an answer said that the session has ended. */
export const endSession = (): void => {
  sessionEndings.value++;
};
