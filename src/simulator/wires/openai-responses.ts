import { BadInput } from '../model/bad-input.ts';
import { bearerOf } from '../model/bearer-of.ts';
import { forceCompaction } from '../model/force-compaction.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { namedEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody, openaiErrorKind } from './openai-errors.ts';
import { readOpenaiResponses } from './read-openai-responses.ts';
import { writeCompactedBody, writeResponsesBody, writeResponsesEvents } from './write-openai-responses.ts';

const MAX_ALTERNATIVES = 20;

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const included = body
    .at('include')
    .items()
    .map((item) => item.text());
  const alternatives = body.at('top_logprobs').number({ min: 0, max: MAX_ALTERNATIVES });
  const options = {
    summary: body.at('reasoning').either('summary', 'generate_summary').present,
    encrypted: included.includes('reasoning.encrypted_content'),
    topLogprobs: included.includes('message.output_text.logprobs') ? (alternatives ?? 0) : alternatives,
  };
  const prompt = forceCompaction(readOpenaiResponses(body), exchange.compactAt);
  const draft = { exchange, reply: exchange.plan(prompt), options };
  return {
    streamed: body.at('stream').flag(),
    body: () => writeResponsesBody(draft),
    events: () => writeResponsesEvents(draft),
  };
}

/** Compacts the whole conversation. The vendor refuses members that concern an answer alone. */
function compact(exchange: SimulatorExchange): SimulatorAnswer {
  for (const name of ANSWER_ONLY)
    if (exchange.body.at(name).present)
      throw new BadInput(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  const prompt = { ...readOpenaiResponses(exchange.body), compaction: { from: 0, isAlone: true } };
  const draft = { exchange, reply: exchange.plan(prompt), options: { summary: false, encrypted: false } };
  return { streamed: false, body: () => writeCompactedBody(draft), events: () => [] };
}

const ANSWER_ONLY = ['max_output_tokens', 'store', 'stream', 'background'];

/** Returns the vendor's error event, followed by the event of the failed response. */
function failureEvents(failure: Failure) {
  const { type, code } = openaiErrorKind(failure);
  const error = { code: failure.code ?? code ?? type, message: failure.message };
  return [
    namedEvent('error', { type: 'error', ...error, param: failure.param ?? null, sequence_number: 0 }),
    namedEvent('response.failed', {
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error, output: [], usage: null },
      sequence_number: 1,
    }),
  ];
}

export const OPENAI_RESPONSES: SimulatorWire = {
  id: 'openai-responses',
  path: /^\/responses$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents,
};

export const OPENAI_COMPACTIONS: SimulatorWire = {
  ...OPENAI_RESPONSES,
  path: /^\/responses\/compact$/,
  answer: compact,
};
