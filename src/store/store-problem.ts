import { Unavailable } from '../base/errors/unavailable.ts';

/** Something outside the program keeps the store from its work. */
export class StoreProblem extends Unavailable {
  override readonly name = 'StoreProblem';
}
