import { Unavailable } from '../../base/errors/unavailable.ts';

/**
 * Thrown if the account or the key has changed since the caller was authenticated.
 * Nothing was held or counted.
 */
export class StaleCaller extends Unavailable {
  override readonly name = 'StaleCaller';

  constructor() {
    super(
      'The account or the key of a request changed again and again during its admission',
      'retry the request',
    );
  }
}

/** The number of times that a request starts over. */
export const MAX_RESTARTS = 3;
