import { Refusal } from '../../base/errors/refusal.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import type { Visitor } from '../../customers/people/visitor.ts';

/**
 * The visitors whose sign-in must be recent. `always`: all of them; `with-two-factor`: those with a second
 * factor, on a route that asks for the password, since the password is one factor of two.
 */
export type RecentSignIn = 'always' | 'with-two-factor';

/** Somebody who finds a browser open must not be able to keep the person out. */
const RECENT_MS = 10 * MINUTE_MS;

/** Refuses a change of a person's sign-in if the session began too long ago. */
export function requireRecentSignIn(
  { sessionBegan, hasTwoFactor }: Pick<Visitor, 'sessionBegan' | 'hasTwoFactor'>,
  required: RecentSignIn,
  now: number,
): Refusal | undefined {
  if (required === 'with-two-factor' && !hasTwoFactor) return undefined;
  return now - sessionBegan > RECENT_MS ? new Refusal('recent_sign_in_required') : undefined;
}
