import type { Refusal } from '../../base/errors/refusal.ts';
import type { SignedIn } from '../../customers/people/people-service.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { replyWithCookies } from './reply-with-cookies.ts';

/** Sets the cookies of a session. The device is known from the first complete sign-in on. */
export async function signedInReply(
  { devices }: DashboardParts,
  exchange: Exchange,
  outcome: SignedIn | Refusal,
): Promise<Reply> {
  const { status, email, cookies } = accepted(outcome);
  const isComplete = status === 'signed_in' && email !== '';
  const deviceCookies = isComplete ? [await devices.cookieFor(exchange, email)] : [];
  return replyWithCookies({ status }, [...cookies, ...deviceCookies]);
}
