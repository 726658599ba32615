import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { orderLargeAnswer } from '../../inference/carriage/order-large-answer.ts';
import { translateAnswer } from '../../inference/carriage/translate-answer.ts';
import { LargeAnswers } from '../../inference/stream/large-answers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { markReasoning } from '../../translation/protocols/responses/mark-reasoning.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import { createDialects } from './create-dialects.ts';
import { createWires } from './create-wires.ts';

const answers = new LargeAnswers({
  start: () => new Worker(new URL('./read-answers-in-thread.ts', import.meta.url).href),
  yieldQueue: new YieldQueue(),
});
/** The dialect of each wire's usual endpoint. */
const dialects = new Map(
  createDialects()
    .map(({ dialect }) => dialect)
    .filter(({ goesToOwnEndpoint }) => goesToOwnEndpoint === undefined)
    .map((dialect) => [dialect.wire, dialect]),
);
const wires = createWires();

const LONG = 'Grüße aus "Köln".\n'.repeat(8_000);
const tool = { name: 'look_up', parameters: { type: 'object', properties: {} } };
const ask = { model: 'asked', stop: ['HALT'], tools: [{ type: 'function', function: tool }] };
const bodies: Partial<Record<Wire, object>> = {
  'openai-chat': { ...ask, messages: [{ role: 'user', content: 'hi' }] },
  'anthropic-messages': {
    model: 'asked',
    max_tokens: 9,
    stop_sequences: ['HALT'],
    messages: [{ role: 'user', content: 'hi' }],
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    tools: [{ name: tool.name, input_schema: tool.parameters }],
  },
  'openai-responses': {
    model: 'asked',
    input: 'hi',
    metadata: { a: 'b' },
    instructions: 'Be brief.',
    tools: [{ type: 'function', ...tool }],
  },
  'openai-completions': { model: 'asked', prompt: 'Once', echo: true },
};
const messageParts = [
  { type: 'thinking', thinking: 'Hm.', signature: 'sealed' },
  { type: 'text', text: `${LONG}HALT and more` },
  { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { of: 1.0 } },
];
const outputText = { type: 'output_text', text: LONG, annotations: [] };
const texts: Partial<Record<Wire, string>> = {
  'openai-chat': JSON.stringify({
    id: 'theirs',
    object: 'chat.completion',
    created: 1,
    model: 'theirs',
    choices: [{ index: 0, message: { role: 'assistant', content: LONG }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  }),
  'anthropic-messages': JSON.stringify({
    id: 'theirs',
    type: 'message',
    role: 'assistant',
    model: 'theirs',
    stop_sequence: null,
    content: messageParts,
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 5 },
  }),
  'openai-responses': JSON.stringify({
    id: 'theirs',
    object: 'response',
    created_at: 1,
    model: 'theirs',
    status: 'completed',
    error: null,
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [outputText] },
    ],
    usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
  }),
};

const family = { vocabulary: 'o200k', textFactor: 1 } as const;
const estimate = { input: () => 7, text: (text: string) => estimateText(text, 'o200k'), family };
const label = { id: 'ours', model: 'asked', estimate };

function orderFor(speaks: Wire, wire: Wire) {
  const dialect = dialects.get(speaks)!;
  const body = parseBodyAtOnce(JSON.stringify(bodies[speaks])) as JsonBody;
  const request = acceptedOrError(dialect.read(body));
  const canonical = acceptedOrError(request.canonical ?? dialect.codec!.decodeRequest(body));
  const head: ResponseHead = { responseId: 'ours', model: 'asked', createdAt: 9, request: canonical, body };
  const translated = speaks === wire ? undefined : { head, from: wire };
  const here = (text: string): WholeAnswer =>
    translated
      ? translateAnswer(text, { dialect: dialect.codec!, codec: wires.get(wire)!, head, estimate })
      : dialect.patchAnswer(text, label, request);
  return { here, order: () => orderLargeAnswer({ dialect, request, label, translated, mark: undefined }) };
}

/** Both answers may be translated in different seconds. */
const timeless = (answer: string) => answer.replace(/"completed_at":\d+/, '"completed_at":0');

const piecesOf = (text: string): Uint8Array[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: 9 }, (_, at) =>
    bytes.subarray((bytes.length * at) / 9, (bytes.length * (at + 1)) / 9),
  );
};

const cases = (Object.keys(bodies) as Wire[]).flatMap((speaks) =>
  (Object.keys(texts) as Wire[]).map((wire) => [wire, speaks] as const),
);

test.each(
  cases,
)('a large answer from %s to %s equals one that is translated on the main thread', async (wire, speaks) => {
  const { here, order } = orderFor(speaks, wire);
  const text = texts[wire]!;
  const expected = here(text);
  const made = await answers.read('a', piecesOf(text), order);
  expect(timeless(new TextDecoder().decode(made.bytes))).toBe(timeless(expected.text));
  expect(made.usage).toEqual(expected.usage);
});

test('a large answer without usage is estimated as on the main thread', async () => {
  const { here, order } = orderFor('openai-chat', 'openai-chat');
  // Longer texts are estimated from random samples.
  const { usage, ...uncounted } = JSON.parse(
    texts['openai-chat']!.replace(JSON.stringify(LONG), '"Six words."'),
  );
  const text = JSON.stringify(uncounted);
  const made = await answers.read('a', piecesOf(text), order);
  expect(made.usage).toEqual(here(text).usage);
  expect(made.usage.isEstimated).toBe(true);
  expect(usage).toBeDefined();
});

test('marks encrypted reasoning of a large answer with its account', async () => {
  const { here, order } = orderFor('openai-responses', 'openai-responses');
  const text = texts['openai-responses']!;
  const made = await answers.read('a', piecesOf(text), () => ({ ...order(), mark: 'm1' }));
  const expected = here(markReasoning(text, 'm1')).text;
  expect(timeless(new TextDecoder().decode(made.bytes))).toBe(timeless(expected));
});

test('a large answer is kept only if it is short enough to be stored', async () => {
  const { here, order } = orderFor('openai-responses', 'openai-responses');
  const [long, short] = [LONG.repeat(5), 'short'].map((word) =>
    texts['openai-responses']!.replace(JSON.stringify(LONG), JSON.stringify(word)),
  ) as [string, string];
  expect((await answers.read('a', piecesOf(long), order)).answer).toBeUndefined();
  expect((await answers.read('a', piecesOf(short), order)).answer).toEqual(here(short).answer!);
});

test('a large answer with an upstream error is a refusal, unlike an invalid one', async () => {
  const { order } = orderFor('openai-chat', 'openai-chat');
  const refusing = JSON.stringify({ error: { message: 'The server is overloaded', code: 503 } });
  await expect(answers.read('a', piecesOf(refusing), order)).rejects.toBeInstanceOf(RefusedAnswer);
  await expect(answers.read('a', piecesOf('{"choices":'), order)).rejects.toBeInstanceOf(SyntaxError);
  await expect(answers.read('a', piecesOf(`${'['.repeat(5_000)}`), order)).rejects.toThrow('nested too deep');
});
