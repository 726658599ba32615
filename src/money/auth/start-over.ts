import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Principal } from './principal.ts';
import { MAX_RESTARTS, StaleCaller } from './stale-caller.ts';

type Restart<T> = {
  /** Returns the current account and key of a caller whose former ones are stale. */
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
