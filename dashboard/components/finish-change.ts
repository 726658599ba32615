import { refreshAnswers } from '../app/answers.ts';
import { toast } from './toasts.tsx';

/** The steps after a change that the server has made. */
export type Change = {
  /** The beginning of the paths whose answers the change makes outdated. */
  refreshes?: string | undefined;
  /** Says that the change was made. */
  done?: string | undefined;
};

/** Shows the consequences of a change. */
export function finishChange({ refreshes, done }: Change): void {
  if (refreshes !== undefined) refreshAnswers(refreshes);
  if (done !== undefined) toast(done);
}
