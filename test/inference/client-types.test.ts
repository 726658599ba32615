import { expect, test } from 'bun:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { encodeResponse } from '../../src/translation/protocols/chat-completions/encode-response.ts';
import { encodeMessage } from '../../src/translation/protocols/messages/encode-response.ts';
import {
  encodeDeltaUsage,
  encodeUsage as encodeMessagesUsage,
} from '../../src/translation/protocols/messages/usage.ts';
import { formatUsage } from '../../src/translation/protocols/openai/openai-usage.ts';
import { encodeUsage as encodeResponsesUsage } from '../../src/translation/protocols/responses/usage.ts';
import { headsWith } from '../../src/translation/protocols/testing/heads-with.ts';

const head = headsWith('chatcmpl-1')();
const usage = { input: { uncached: 1, cacheRead: 2, cacheWrite: 3 }, output: { visible: 4, thinking: 5 } };
const stop = { kind: 'end-turn' } as const;

test('answers match the types of the official clients, which the compiler checks', () => {
  const completion: OpenAI.ChatCompletion = encodeResponse(
    { responseId: '', model: '', parts: [{ kind: 'text', text: 'hello' }], stop, usage },
    head,
  );
  const { content, ...message } = encodeMessage(head, { content: [], stop, usage });
  const envelope: Omit<Anthropic.Message, 'content'> = message;
  const usages: [
    OpenAI.CompletionUsage,
    OpenAI.Responses.ResponseUsage,
    Anthropic.Usage,
    Anthropic.MessageDeltaUsage,
  ] = [formatUsage(usage), encodeResponsesUsage(usage), encodeMessagesUsage(usage), encodeDeltaUsage(usage)];
  expect(completion.choices[0]?.message.content).toBe('hello');
  expect({ content, stop_reason: envelope.stop_reason }).toEqual({ content: [], stop_reason: 'end_turn' });
  expect(usages.map((one) => ('prompt_tokens' in one ? one.completion_tokens : one.output_tokens))).toEqual([
    9, 9, 9, 9,
  ]);
});
