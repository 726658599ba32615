import { bearerOf } from '../model/bearer-of.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { streamEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { readGoogleGenerate, wantsThoughts } from './read-google-generate.ts';
import { writeGenerateBody, writeGenerateEvents } from './write-google-generate.ts';

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Answers a request. Without `alt=sse`, a stream is one JSON array of all events, which is sent whole. */
function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, action, query } = exchange;
  const draft = {
    exchange,
    reply: exchange.plan(readGoogleGenerate(body)),
    showsThoughts: wantsThoughts(body),
  };
  const events = () => writeGenerateEvents(draft);
  const streams = action === 'streamGenerateContent';
  return {
    streamed: streams && query.get('alt') === 'sse',
    body: () => (streams ? [...events()].map(({ data }) => JSON.parse(data)) : writeGenerateBody(draft)),
    events,
  };
}

function failureBody({ status, message }: Failure) {
  return {
    error: {
      code: status,
      message,
      status: STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'UNKNOWN'),
    },
  };
}

export const GOOGLE_GENERATE: SimulatorWire = {
  id: 'google-generate',
  path: /^\/models\/(?<model>.+):(?<action>generateContent|streamGenerateContent)$/,
  framing: SSE_FRAMING,
  credential: (headers, query) => headers.get('x-goog-api-key') ?? query.get('key') ?? bearerOf(headers),
  answer,
  failureBody,
  failureEvents: (failure) => [streamEvent(failureBody(failure))],
};
