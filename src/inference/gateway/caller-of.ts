import type { Principal } from '../../money/auth/principal.ts';
import type { Caller } from '../../upstream/routing/try-targets.ts';
import type { Permit } from '../admission/admit.ts';
import type { Unattended } from './qualified-request.ts';

/** Returns what capacity and routing know of the caller. */
export const callerOf = (
  { account, apiKey, plan }: Principal,
  { mode }: Permit,
  unattended: Unattended | undefined,
): Caller => ({
  account: account.id,
  keyId: apiKey.id,
  planClass: unattended?.planClass ?? (mode === 'payg' || plan.id !== 'free' ? 'paid' : 'free'),
});
