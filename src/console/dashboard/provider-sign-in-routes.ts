import { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { providerIdOf } from '../../customers/people/sign-in-providers.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import { dashboardRoute } from './dashboard-route.ts';
import * as schema from './session-schema.ts';

/** The routes by which a browser goes to a provider of sign-in and comes back. */
export const providerSignInRoutes = [
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/session/provider',
      access: 'anyone',
      body: schema.providerBody,
      answer: schema.providerView,
    },
    ({ exchange, body: { provider, return_to: returnTo = '/' } }, { providers }) =>
      unlessRefused(providers.leave({ provider, returnTo }, callerOf(exchange)), ({ location, cookies }) => ({
        ...jsonReply(200, { url: location }),
        cookies,
      })),
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/auth/callback/{provider}',
      access: 'anyone',
      answer: schema.doneView,
    },
    async ({ exchange, params: { provider } }, { providers, signIns }) => {
      const back = await providers.comeBack(provider, exchange.query, callerOf(exchange));
      const { isRefused, location, cookies } = back;
      const outcome = isRefused ? new Refusal('invalid_request') : back;
      if (!isRefused || isConfigured(exchange, provider))
        await signIns.record(exchange, { by: provider }, outcome);
      return { status: 302, body: null, headers: { location }, cookies };
    },
  ),
];

/** Everybody can call the address with the name of another provider, which must not reach the audit log. */
const isConfigured = ({ snapshot }: Exchange, provider: string): boolean =>
  snapshot.config.dashboard.providers.some((row) => providerIdOf(row) === provider);
