import { bearerOf } from '../model/bearer-of.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { namedEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { readGoogleInteractions, wantsSummaries } from './read-google-interactions.ts';
import { writeInteraction, writeInteractionEvents } from './write-google-interactions.ts';

const CODES: Record<number, string> = {
  400: 'invalid_request',
  401: 'authentication',
  403: 'permission_denied',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const draft = {
    exchange,
    reply: exchange.plan(readGoogleInteractions(body)),
    showsSummaries: wantsSummaries(body),
  };
  return {
    streamed: body.at('stream').flag(),
    body: () => writeInteraction(draft),
    events: () => writeInteractionEvents(draft),
  };
}

const failureBody = ({ status, message }: Failure) => ({
  error: { code: CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error'), message },
});

export const GOOGLE_INTERACTIONS: SimulatorWire = {
  id: 'google-interactions',
  path: /^\/interactions$/,
  framing: SSE_FRAMING,
  credential: (headers, query) => headers.get('x-goog-api-key') ?? query.get('key') ?? bearerOf(headers),
  answer,
  failureBody,
  failureEvents: (failure) => [namedEvent('error', { event_type: 'error', ...failureBody(failure) })],
};
