import { Unavailable } from '../base/errors/unavailable.ts';

/** An outside cause prevents the store from working. */
export class StoreProblem extends Unavailable {
  override readonly name = 'StoreProblem';
  /** True if the server is starting or the connection was lost. A later attempt can then succeed. */
  readonly isTransient: boolean;

  constructor(message: string, hint: string, cause?: unknown, { isTransient = false } = {}) {
    super(message, hint, cause);
    this.isTransient = isTransient;
  }
}
