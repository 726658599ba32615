import { bearerOf } from '../model/bearer-of.ts';
import { forceCompaction } from '../model/force-compaction.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { namedEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { readAnthropicMessages } from './read-anthropic-messages.ts';
import { writeMessagesBody, writeMessagesEvents } from './write-anthropic-messages.ts';

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const showsThinking = body.at('thinking').at('display').value !== 'omitted';
  const prompt = forceCompaction(readAnthropicMessages(body), exchange.compactAt);
  const isManaged = body.at('context_management').present || prompt.compaction !== undefined;
  const draft = { exchange, reply: exchange.plan(prompt), showsThinking, isManaged };
  return {
    streamed: body.at('stream').flag(),
    body: () => writeMessagesBody(draft),
    events: () => writeMessagesEvents(draft),
  };
}

function failureBody({ status, message }: Failure) {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message }, request_id: 'req_simulated' };
}

export const ANTHROPIC_MESSAGES: SimulatorWire = {
  id: 'anthropic-messages',
  path: /^\/messages$/,
  framing: SSE_FRAMING,
  credential: (headers) => headers.get('x-api-key') ?? bearerOf(headers),
  answer,
  failureBody,
  failureEvents: (failure) => [namedEvent('error', failureBody(failure))],
};
