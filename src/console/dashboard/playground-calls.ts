import { handleQuote } from '../../api/quote/quote-route.ts';
import type { quotedPaths } from '../../api/quote/quoted-paths.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { handleInference } from '../../inference/gateway/handle-inference.ts';
import type { RequestAuthenticator } from '../../money/auth/authenticator.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { playgroundKey } from './playground-key.ts';

type QuotedPath = (typeof quotedPaths)[keyof typeof quotedPaths];

/**
 * Returns a handler that sends requests to a model. `endpoint` takes the same body. `route` is its address in
 * the API.
 */
export const askModel =
  (endpoint: QuotedPath, route: string = endpoint) =>
  async (call: OrganizationCall, { playground }: DashboardParts): Promise<Reply> => {
    // Every endpoint that quotes take has a dialect.
    const { dialect } = playground.dialects.find(({ path }) => path === endpoint)!;
    playground.live();
    // Receipts, records and metrics name the endpoint. The path of the record shows that the request is from
    // the playground.
    call.exchange.route = route;
    const services = { ...playground.services, authenticator: await authenticatorOf(call, playground) };
    return accepted(await handleInference(call.exchange, dialect, services));
  };

/** Quotes a request with the playground's key. */
export async function quoteRequest(call: OrganizationCall, { playground }: DashboardParts): Promise<Reply> {
  const services = { ...playground.services, authenticator: await authenticatorOf(call, playground) };
  return accepted(await handleQuote(call.exchange, playground.dialects, services));
}

/** Returns an authenticator that takes every request as one of the visitor with the playground's key. */
async function authenticatorOf(
  { accountId, visitor }: OrganizationCall,
  playground: DashboardParts['playground'],
): Promise<RequestAuthenticator> {
  const key = await playgroundKey(playground, accountId, visitor.email);
  return playground.authenticator.withKey(key.id, visitor.userId);
}
