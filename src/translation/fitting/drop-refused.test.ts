import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { refusedPreferences } from '../canonical/refused-word.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { createChatDialectCodec } from '../protocols/chat-completions/create-chat-dialect-codec.ts';
import { createGoogleDialectCodec } from '../protocols/google/create-google-dialect-codec.ts';
import { createMessagesDialectCodec } from '../protocols/messages/messages-dialect-codec.ts';
import { dropRefused, refusedOf, refusedOfText, removeRefused } from './drop-refused.ts';

const parsed = (body: object) => acceptedOrError(parseBodyAtOnce(JSON.stringify(body)));

function remaining(body: object, words: readonly string[]) {
  const sent = parsed(body);
  const refused = refusedOfText(sent, new Set(words));
  return [removeRefused(sent, refused).value, refused.words];
}

test('top_p goes only if temperature stays', () => {
  const body = { temperature: 1, top_p: 0.5 };
  const both = 'top_p_with_temperature';
  expect(remaining(body, [both])).toEqual([{ temperature: 1 }, [both]]);
  expect(remaining(body, ['temperature', both])).toEqual([{ top_p: 0.5 }, ['temperature']]);
  expect(remaining({ top_p: 0.5 }, [both])).toEqual([{ top_p: 0.5 }, []]);
});

test('a word is named once, however many members it removes', () => {
  const body = { presence_penalty: 1, frequency_penalty: 1 };
  expect(remaining(body, ['penalties'])).toEqual([{}, ['penalties']]);
});

const chatBody = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hello.' }],
  temperature: 1,
  top_p: 0.5,
  presence_penalty: 1,
  frequency_penalty: 1,
  seed: 7,
  logit_bias: { 50256: -100 },
  metadata: { team: 'a' },
  verbosity: 'low',
  parallel_tool_calls: false,
  tools: [{ type: 'function', function: { name: 'f' } }],
  service_tier: 'flex',
};
const messagesBody = {
  model: 'm',
  max_tokens: 9_000,
  messages: [{ role: 'user', content: 'Hello.' }],
  temperature: 1,
  top_p: 0.5,
  top_k: 3,
  thinking: { type: 'enabled', budget_tokens: 2_000 },
};
const googleBody = {
  model: 'm',
  contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
  generationConfig: {
    temperature: 1,
    topP: 0.5,
    topK: 3,
    seed: 7,
    thinkingConfig: { thinkingBudget: 2_000 },
  },
};

const forms = [
  ['chat', chatBody, createChatDialectCodec()],
  ['messages', messagesBody, createMessagesDialectCodec()],
  ['google', googleBody, createGoogleDialectCodec()],
] as const;
/** Google's level alone leaves the mode to the model, and a canonical budget becomes an adaptive mode. */
const withoutMode = ({ thinking, ...request }: CanonicalRequest) => ({
  ...request,
  thinking: thinking && { ...thinking, mode: undefined },
});
const pairs = refusedPreferences.flatMap((one) => refusedPreferences.map((other) => new Set([one, other])));

for (const [dialect, body, codec] of forms)
  test(`the text and the request of the ${dialect} dialect lose the same preferences`, () => {
    const sent = parsed(body);
    const request = acceptedOrError(codec.decodeRequest(sent));
    for (const words of pairs) {
      const refused = refusedOfText(sent, words);
      expect(refusedOf(request, words)).toEqual(refused);
      const decoded = acceptedOrError(codec.decodeRequest(removeRefused(sent, refused)));
      expect(withoutMode(decoded)).toEqual(withoutMode(dropRefused(request, refused)));
    }
  });
