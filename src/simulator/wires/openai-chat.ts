import { bearerOf } from '../model/bearer-of.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { streamEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';
import { readOpenaiChat } from './read-openai-chat.ts';
import { writeChatBody, writeChatEvents } from './write-openai-chat.ts';

const MAX_ALTERNATIVES = 20;

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const alternatives = body.at('top_logprobs').number({ min: 0, max: MAX_ALTERNATIVES }) ?? 0;
  const options = {
    includeUsage: body.at('stream_options').at('include_usage').flag(),
    topLogprobs: body.at('logprobs').flag() ? alternatives : undefined,
  };
  const streamed = body.at('stream').flag();
  if (body.at('stream_options').present && !streamed)
    body.at('stream_options').fail("only allowed when 'stream' is true");
  const draft = { exchange, reply: exchange.plan(readOpenaiChat(body)), options };
  return { streamed, body: () => writeChatBody(draft), events: () => writeChatEvents(draft) };
}

export const OPENAI_CHAT: SimulatorWire = {
  id: 'openai-chat',
  path: /^\/chat\/completions$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [streamEvent(openaiErrorBody(failure))],
};
