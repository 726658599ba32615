import { Unavailable } from '../base/errors/unavailable.ts';

/** An outside cause prevents the store from working. */
export class StoreProblem extends Unavailable {
  override readonly name = 'StoreProblem';
}
