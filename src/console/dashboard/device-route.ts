import { Refusal } from '../../base/errors/refusal.ts';
import { dashboardRoute, refuseRole } from './dashboard-route.ts';
import { deviceDecision, deviceView } from './device-schema.ts';

/**
 * Approves or denies the sign-in of a client that shows a code. Keys are made by owners and developers alone.
 */
export const deviceRoute = dashboardRoute(
  {
    method: 'POST',
    path: '/dashboard/v1/device',
    access: 'person',
    body: deviceDecision,
    answer: deviceView,
  },
  async ({ exchange, visitor, body }, { clients: { signIns, codes } }) => {
    if (!exchange.snapshot.config.claude_code.sign_in) return new Refusal('not_found');
    const { user_code: userCode, account: accountId, approve: isApproved } = body;
    const refusal = refuseRole(visitor, accountId, 'developer') ?? (await codes.count(visitor.sessionId));
    if (refusal) return refusal;
    if (!(await signIns.decide({ userCode, accountId, isApproved, person: visitor }))) return unknownCode();
    await codes.takeOff(visitor.sessionId);
    return { status: isApproved ? ('approved' as const) : ('denied' as const) };
  },
);

const unknownCode = (): Refusal =>
  new Refusal('not_found', {
    message: 'No client waits with this code. It may have expired. Start the sign-in again.',
    param: 'user_code',
  });
