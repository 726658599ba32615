import { Refusal } from '../../base/errors/refusal.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import type { DeviceView, deviceDecision } from './device-schema.ts';
import { refuseRole } from './refuse-visitor.ts';

/** Approves or denies the sign-in of a client that shows a code. Only owners and developers make keys. */
export async function decideSignIn(
  { exchange, visitor, body }: PersonCall<WithBody<typeof deviceDecision>>,
  { deviceSignIns, codeAttempts }: DashboardParts,
): Promise<DeviceView> {
  if (!exchange.snapshot.config.claude_code.sign_in) throw new Refusal('not_found');
  const { user_code: userCode, account: accountId, approve: isApproved } = body;
  accepted(refuseRole(visitor, accountId, 'developer'));
  accepted(await codeAttempts.count(visitor.sessionId));
  const isKnown = await deviceSignIns.decide({ userCode, accountId, isApproved, person: visitor });
  if (!isKnown) throw unknownCode();
  // A code that was found is not a guess.
  await codeAttempts.takeOff(visitor.sessionId);
  return { status: isApproved ? 'approved' : 'denied' };
}

const unknownCode = (): Refusal =>
  new Refusal('not_found', {
    message: 'No client waits with this code. It may have expired. Start the sign-in again.',
    param: 'user_code',
  });
