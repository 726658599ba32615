import { handleQuote } from '../../api/quote/answer-quote.ts';
import { quotedPaths } from '../../api/quote/read-any-dialect.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { handleInference } from '../../inference/gateway/gateway.ts';
import type { Authenticating } from '../../money/auth/authenticator.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { playgroundKey } from './playground-key.ts';
import type { PlaygroundParts } from './playground-parts.ts';
import { playgroundOptions } from './playground-schema.ts';
import { playgroundView } from './playground-view.ts';

const PATH = '/dashboard/v1/organizations/{account}/playground';

/** The answers of the API pass through as they are. */
const answerAsIs = Type.Unknown();

/**
 * Returns a route of the playground. `endpoint` takes the same body, and `route` is its address as the API
 * has it.
 */
const endpointRoute = <const Name extends string>(name: Name, endpoint: string, route = endpoint) =>
  dashboardRoute(
    { method: 'POST', path: `${PATH}/${name}`, access: 'developer', answer: answerAsIs },
    (call, { playground }) => {
      // Every endpoint of this table has a dialect, since quotes take the same paths.
      const { dialect } = playground.dialects.find(({ path }) => path === endpoint)!;
      playground.live();
      // Receipts, records and metrics name the endpoint.
      // The path of the record shows that the request is from the playground.
      call.exchange.route = route;
      return withKey(call, playground, (authenticator) =>
        handleInference(call.exchange, dialect, { ...playground.services, authenticator }),
      );
    },
  );

/** The routes of the playground. Requests are charged to a key of the organization and obey its limits. */
export const playgroundRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'developer', answer: playgroundOptions },
    ({ exchange, accountId }, { playground }) => playgroundView(exchange, accountId, playground),
  ),
  endpointRoute('messages', '/v1/messages'),
  endpointRoute('responses', '/v1/responses'),
  endpointRoute('chat', '/v1/chat/completions'),
  endpointRoute('gemini', quotedPaths.generate, '/v1beta/models/{id*}:generateContent'),
  endpointRoute('gemini-stream', quotedPaths.stream, '/v1beta/models/{id*}:streamGenerateContent'),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/quote`, access: 'developer', answer: answerAsIs },
    (call, { playground }) =>
      withKey(call, playground, (authenticator) => {
        const { services, dialects } = playground;
        return handleQuote(call.exchange, dialects, { ...services, authenticator });
      }),
  ),
];

type Call = { exchange: Exchange; accountId: string; visitor: Visitor };

/** Runs a request with the playground's key. */
async function withKey(
  { accountId, visitor }: Call,
  parts: PlaygroundParts,
  run: (authenticator: Authenticating) => Promise<Reply | Refusal>,
): Promise<Reply | Refusal> {
  const key = await playgroundKey(parts, accountId, visitor.email);
  return key instanceof Refusal ? key : run(parts.authenticator.withKey(key.id, visitor.userId));
}
