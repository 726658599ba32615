import { signal } from '@preact/signals';

/** Ends the question for a new sign-in. `true` if the person has signed in again. */
type AnswerQuestion = (hasSignedIn: boolean) => void;

/** The question of a change that waits for a new sign-in. Undefined while no change waits. */
export const signInQuestion = signal<AnswerQuestion | undefined>();

/** Asks for a new sign-in, and resolves to whether it happened. A later question ends an earlier one. */
export const askForSignIn = (): Promise<boolean> =>
  new Promise((resolve) => {
    signInQuestion.peek()?.(false);
    signInQuestion.value = (hasSignedIn) => {
      signInQuestion.value = undefined;
      resolve(hasSignedIn);
    };
  });
