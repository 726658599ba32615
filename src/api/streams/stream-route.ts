import { Refusal } from '../../base/errors/refusal.ts';
import type { Route } from '../../edge/http/route.ts';
import type { RecordedStreams } from '../../inference/recording/recorded-streams.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import { streamDescription } from './stream-description.ts';

/** Returns the route that resumes a stream where it broke. */
export const streamRoute = (
  authenticator: Pick<Authenticator, 'authenticateRead'>,
  streams: RecordedStreams,
): Route => ({
  method: 'GET',
  path: '/v1/streams/{request_id}',
  describe: streamDescription,
  handle: async (exchange) => {
    const principal = await authenticator.authenticateRead(exchange, 'any');
    if (principal instanceof Refusal) return principal;
    const requestId = exchange.params.request_id!;
    return streams.read(exchange, { requestId, keyId: principal.apiKey.id });
  },
});
