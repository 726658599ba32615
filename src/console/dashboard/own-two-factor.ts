import { callerOf } from '../../customers/people/auth-caller.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { DONE } from './done-view.ts';
import type { codeBody, passwordBody, RecoveryCodesView, TwoFactorView } from './profile-schema.ts';
import { replyWithCookies } from './reply-with-cookies.ts';
import { withGuessLimit } from './with-guess-limit.ts';

type PasswordCall = PersonCall<WithBody<typeof passwordBody>>;

/** Makes a second factor. It is in force once one of its codes has confirmed it. */
export async function beginTwoFactor(call: PasswordCall, parts: DashboardParts): Promise<TwoFactorView> {
  const begin = () => parts.twoFactor.begin(call.body, callerOf(call.exchange));
  const { uri, recoveryCodes } = accepted(await withGuessLimit(parts, call, begin));
  return { uri, recovery_codes: recoveryCodes };
}

export async function confirmTwoFactor(
  call: PersonCall<WithBody<typeof codeBody>>,
  parts: DashboardParts,
): Promise<Reply> {
  const { visitor, body, exchange } = call;
  const confirm = () => parts.twoFactor.confirm(visitor, body.code, callerOf(exchange));
  const { cookies } = accepted(await withGuessLimit(parts, call, confirm));
  return replyWithCookies(DONE, cookies);
}

export async function endTwoFactor(call: PasswordCall, parts: DashboardParts): Promise<Reply> {
  const { visitor, body, exchange } = call;
  const end = () => parts.twoFactor.end(visitor, body.password, callerOf(exchange));
  const { cookies } = accepted(await withGuessLimit(parts, call, end));
  return replyWithCookies(DONE, cookies);
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(
  call: PasswordCall,
  parts: DashboardParts,
): Promise<RecoveryCodesView> {
  const { visitor, body, exchange } = call;
  const renew = () => parts.twoFactor.renewRecoveryCodes(visitor, body.password, callerOf(exchange));
  return { recovery_codes: accepted(await withGuessLimit(parts, call, renew)) };
}
