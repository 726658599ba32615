import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { Principal } from './principal.ts';

/** The account or the key has changed since the caller was authenticated. Nothing was taken. */
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

export type Restart<T> = {
  authenticate(stale: Principal): MaybeLater<Principal | Refusal>;
  work(current: Principal): Promise<T>;
};

/**
 * Starts work over with the current account and key if it failed with a `StaleCaller`.
 * Other errors are thrown again.
 */
export async function startOver<T>(
  error: unknown,
  stale: Principal,
  restart: Restart<T>,
): Promise<T | Refusal> {
  let failure = error;
  let principal = stale;
  for (let restarts = 0; failure instanceof StaleCaller && restarts < MAX_RESTARTS; restarts++) {
    const current = await restart.authenticate(principal);
    if (current instanceof Refusal) return current;
    principal = current;
    try {
      return await restart.work(principal);
    } catch (again) {
      failure = again;
    }
  }
  throw failure;
}
