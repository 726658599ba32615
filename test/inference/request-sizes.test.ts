import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
/** Reads both lengths from the words that each vendor uses, and that libraries look for. */
function lengthsIn(message: string): {
  tokens: number;
  most: number;
} {
  const forms = [
    /^prompt is too long: (?<tokens>\d+) tokens > (?<most>\d+) maximum$/,
    /^This model's maximum context length is (?<most>\d+) tokens\. However, your messages resulted in (?<tokens>\d+) tokens\./,
  ];
  const groups = forms.map((form) => form.exec(message)?.groups).find(Boolean);
  return { tokens: Number(groups?.tokens), most: Number(groups?.most) };
}

const refusing = startRecordingUpstream();
const route = (wire: string) => [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }];
const WINDOW = 2_000;
const MAX_OUTPUT = 500;
/** The least that every wire takes. */
const MIN_OUTPUT = 16;

const server = await startServer({
  config: {
    providers: [
      ...wireProviders(upstream.url, 'hidden-'),
      { id: 'hidden-both', wires: ['openai-chat', 'openai-responses'], base_url: `${upstream.url}/v1` },
      { id: 'hidden-refusing', wire: 'openai-chat', base_url: refusing.url },
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.flatMap((wire) => [
          ableModel(`capped-${wire}`, route(wire), { max_output: MAX_OUTPUT }),
          ableModel(`tiny-${wire}`, route(wire), { context_window: WINDOW }),
        ]),
        ableModel('both-wires', [{ provider: 'hidden-both', model: 'hidden-both' }]),
        ableModel('refusing', [{ provider: 'hidden-refusing', model: 'hidden-refusing' }]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await refusing.stop();
});

const { key } = await server.createKey('enterprise');

type Speaking = {
  path: string;
  body: (text: string, most?: number) => Json;
  /** Returns the length of the answer. */
  output: (answer: Json) => number;
  /** The fields that make a model reason, whose reasoning may be hidden. */
  thinks: Json;
  stop: (answer: Json) => string;
  cut: string;
  tags: string;
};
const user = (content: Json) => [{ role: 'user', content }];

const dialects: Speaking[] = [
  {
    path: '/v1/messages',
    body: (text, max_tokens = 64) => ({ max_tokens, messages: user(text) }),
    output: ({ usage }) => usage.output_tokens,
    thinks: { output_config: { effort: 'high' } },
    stop: ({ stop_reason }) => stop_reason,
    cut: 'max_tokens',
    tags: '[MSG-08] [MSG-33]',
  },
  {
    path: '/v1/chat/completions',
    body: (text, max_tokens) => ({ messages: user(text), ...(max_tokens && { max_tokens }) }),
    output: ({ usage }) => usage.completion_tokens,
    thinks: { reasoning_effort: 'high' },
    stop: ({ choices }) => choices[0].finish_reason,
    cut: 'length',
    tags: '[CHT-15]',
  },
  {
    path: '/v1/responses',
    body: (text, max_output_tokens) => ({ input: text, ...(max_output_tokens && { max_output_tokens }) }),
    output: ({ usage }) => usage.output_tokens,
    thinks: { reasoning: { effort: 'high' } },
    stop: ({ status }) => status,
    cut: 'incomplete',
    tags: '[RSP-17] [RSP-18]',
  },
  {
    path: '/v1/completions',
    body: (prompt, max_tokens) => ({ prompt, ...(max_tokens && { max_tokens }) }),
    output: ({ usage }) => usage.completion_tokens,
    thinks: {},
    stop: ({ choices }) => choices[0].finish_reason,
    cut: 'length',
    tags: '',
  },
];
const post = ({ path }: Speaking, model: string, body: Json) =>
  server.call(path, { headers: bearer(key), body: { model, ...body } });

/** Returns the ceiling that the upstream received, in any wire's place. */
function ceilingSent(): number | undefined {
  const body: Json = upstream.requests().at(-1)!.body;
  return (
    body.max_tokens ??
    body.max_completion_tokens ??
    body.max_output_tokens ??
    body.generationConfig?.maxOutputTokens ??
    body.generation_config?.max_output_tokens ??
    body.inferenceConfig?.maxTokens
  );
}

const SENTENCE = 'the harbour was cold and the boats lay still'.split(' ');
/** Returns this many words, and nearly as many tokens. */
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => SENTENCE[index % SENTENCE.length]).join(' ');

test('does not treat several prompts as one long prompt', async () => {
  const prompt = Array.from({ length: 3 }, () => words(1_500));
  const body = { model: 'tiny-openai-chat', prompt, max_tokens: 5 };
  expect((await server.call('/v1/completions', { headers: bearer(key), body })).status).toBe(200);
});

describe.each(dialects)('on $path', (dialect) => {
  const isMessages = dialect.path === '/v1/messages';

  describe.each([...chatWires])('over %s', (wire) => {
    test("lowers a ceiling above the model's output limit [MSG-43]", async () => {
      const { status } = await post(dialect, `capped-${wire}`, dialect.body('hello', 100_000));
      expect(status).toBe(200);
      expect(ceilingSent()).toEqual(MAX_OUTPUT);
      await post(dialect, `capped-${wire}`, dialect.body('hello', MAX_OUTPUT - 1));
      expect(ceilingSent()).toBe(MAX_OUTPUT - 1);
    });

    test('limits an answer to the remaining room of the window [MSG-44]', async () => {
      for (const [length, least] of [
        [10, WINDOW - 150],
        [1_400, WINDOW - 1_700],
      ] as const) {
        const { status, text } = await post(dialect, `tiny-${wire}`, dialect.body(words(length), WINDOW));
        expect(status, text).toBe(200);
        expect(ceilingSent()).toBeWithin(least, WINDOW - length);
      }
    });

    test('refuses a prompt that exceeds the window, with both lengths [ERR-52] [ERR-55] [ERR-16]', async () => {
      const before = upstream.requests().length;
      for (const length of [3_000, 20_000]) {
        const answer = await post(dialect, `tiny-${wire}`, dialect.body(words(length), 64));
        const message = isMessages
          ? expectMessagesError(answer, 400, ['invalid_request_error', 'context_length_exceeded'])
          : expectRefusal(answer, 400, 'context_length_exceeded').message;
        const { tokens, most } = lengthsIn(message);
        expect(tokens / length).toBeWithin(0.7, 1.4);
        expect(most).toBe(WINDOW);
      }
      expect(upstream.requests().length).toBe(before);
    });
  });

  test('leaves a prompt that may be too long to the upstream', async () => {
    expect((await post(dialect, 'tiny-openai-chat', dialect.body(words(2_050), 64))).status).toBe(200);
  });

  test(`cuts an answer at its ceiling and reports it ${dialect.tags}`, async () => {
    for (const wire of chatWires) {
      const body = dialect.body('repeat 500 words', MIN_OUTPUT);
      for (const fields of [{}, dialect.thinks]) {
        const answer = await post(dialect, `capped-${wire}`, { ...body, ...fields });
        expect({ wire, status: answer.status, result: dialect.stop(answer.body) }).toEqual({
          wire,
          status: 200,
          result: dialect.cut,
        });
        expect(dialect.output(answer.body)).toBeWithin(1, MIN_OUTPUT + 1);
      }
    }
  });

  test("sends a ceiling that the wire does not take to another target, or raises it to the wire's minimum [RSP-18]", async () => {
    const body = dialect.body('repeat 500 words', 3);
    const { body: short } = await post(dialect, 'both-wires', body);
    expect(dialect.stop(short)).toEqual(dialect.cut);
    expect(dialect.output(short)).toBe(3);
    const raised = await post(dialect, 'capped-openai-responses', body);
    expect(raised.status).toBe(200);
    expect(ceilingSent()).toEqual(MIN_OUTPUT);
  });

  test("reports an upstream's length error like the gateway's own, with the upstream's figures [ERR-52] [ERR-56]", async () => {
    const refusal = async (message: string) => {
      refusing.answer('hidden-refusing', answerStatus(400, { message }));
      const answer = await post(dialect, 'refusing', dialect.body('hello'));
      return isMessages
        ? expectMessagesError(answer, 400, ['invalid_request_error', 'context_length_exceeded'])
        : expectRefusal(answer, 400, 'context_length_exceeded').message;
    };
    const llamaCpp =
      'request (4522 tokens) exceeds the available context size (1024 tokens), try increasing it';
    expect(lengthsIn(await refusal(llamaCpp))).toEqual({ tokens: 4_522, most: 1_024 });
    const unnumbered = await refusal('the prompt is too long');
    expect(unnumbered).toMatch(
      isMessages ? /^prompt is too long: / : /^Your input exceeds the context window/,
    );
    expect(unnumbered).not.toMatch(/\d/);
  });

  test('does not count an image of megabytes as a long prompt', async () => {
    const data = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      Buffer.from([0, 0, 1, 0, 0, 0, 1, 0]),
      Buffer.alloc(1_000_000, 7),
    ]).toString('base64');
    const url = `data:image/png;base64,${data}`;
    const bodies: Record<string, Json> = {
      '/v1/messages': {
        max_tokens: 64,
        messages: user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]),
      },
      '/v1/chat/completions': { messages: user([{ type: 'image_url', image_url: { url } }]) },
      '/v1/responses': { input: user([{ type: 'input_image', detail: 'auto', image_url: url }]) },
    };
    const body = bodies[dialect.path] ?? dialect.body('there are no pictures here');
    expect((await post(dialect, 'tiny-anthropic-messages', body)).status).toBe(200);
  });
});
