import { Unavailable } from '../base/errors/unavailable.ts';

/** An outside cause prevents the store from working. */
export class StoreProblem extends Unavailable {
  override readonly name = 'StoreProblem';
  /** The server of the store was lost or is starting, so that a later attempt can succeed. */
  isPassing = false;
}
