import { expect, test } from 'bun:test';
import { type JsonObject, knownBody } from '../../base/json/json-body.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import { createChatWireCodec } from '../../translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { createGoogleDialectCodec } from '../../translation/protocols/google/create-google-dialect-codec.ts';
import { createInteractionsDialect } from '../../translation/protocols/interactions/create-interactions-dialect.ts';
import { createMessagesDialectCodec } from '../../translation/protocols/messages/messages-dialect-codec.ts';
import { translateAnswer } from './translate-answer.ts';

const body: JsonObject = { model: 'm' };
const head: ResponseHead = {
  responseId: 'r',
  model: 'm',
  createdAt: 0,
  request: { model: 'm', stream: false, system: [], turns: [], tools: [], sampling: {}, hints: {} },
  body: knownBody(JSON.stringify(body), body),
};

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"n":12345678901234567890}' } };
const answer = JSON.stringify({
  id: 'a',
  model: 'up',
  choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

test.each([
  createMessagesDialectCodec(),
  createGoogleDialectCodec(),
  createInteractionsDialect().codec!,
])('keeps the digits of large numbers in the arguments of a call for $id', (dialect) => {
  const estimate = { input: () => 1, text: () => 1 } as never;
  const { text } = translateAnswer(answer, { dialect, codec: createChatWireCodec(), head, estimate });
  expect(text).toContain('{"n":12345678901234567890}');
});
