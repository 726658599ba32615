import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { CommandFailure } from './command-failure.ts';

/** Does the work of a command. A failure with an outside cause becomes the one line that is printed. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unavailable) throw new CommandFailure(error.sentence);
    throw codeOfError(error) === undefined ? error : new CommandFailure(messageOfError(error));
  }
}
