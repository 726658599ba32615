import { Unavailable } from '../errors/unavailable.ts';

/** Something outside the program keeps the store from its work. */
export class StoreProblem extends Unavailable {
  override readonly name = 'StoreProblem';
}
