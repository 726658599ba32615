import { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { providerIdOf } from '../../customers/people/sign-in-providers.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall } from './dashboard-route.ts';
import type { providerBody } from './provider-sign-in-schema.ts';
import { replyWithCookies } from './reply-with-cookies.ts';

/** Sends the browser to a provider of sign-in. */
export async function leaveToProvider(
  { exchange, body }: GuestCall<WithBody<typeof providerBody>>,
  { providers }: DashboardParts,
): Promise<Reply> {
  const { provider, return_to: returnTo = '/' } = body;
  const { location, cookies } = accepted(await providers.leave({ provider, returnTo }, callerOf(exchange)));
  return replyWithCookies({ url: location }, cookies);
}

/** Ends a sign-in at a provider, and sends the browser to a page that shows its outcome. */
export async function returnFromProvider(
  { exchange, params: { provider } }: GuestCall<WithParams<'provider'>>,
  { providers, signIns }: DashboardParts,
): Promise<Reply> {
  const arrival = await providers.comeBack(provider, exchange.query, callerOf(exchange));
  const { isRefused, location, cookies } = arrival;
  const outcome = isRefused ? new Refusal('invalid_request') : arrival;
  if (!isRefused || isConfigured(exchange, provider))
    await signIns.record(exchange, { by: provider }, outcome);
  return { status: 302, body: null, headers: { location }, cookies };
}

/** Everybody can call the address with the name of another provider, which must not reach the audit log. */
const isConfigured = ({ snapshot }: Exchange, provider: string): boolean =>
  snapshot.config.dashboard.providers.some((row) => providerIdOf(row) === provider);
