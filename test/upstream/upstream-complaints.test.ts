import { afterAll, expect, test } from 'bun:test';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { HIDDEN } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

/** The upstream's next answer. */
const next = { status: 400, body: '' };
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response(next.body, {
      status: next.status,
      headers: { 'content-type': 'application/json', server: HIDDEN },
    }),
});
/** None stands in for another. */
const models = sampleModels.map((model) => ({ ...model, delivery: 'exact' }));
const server = await startServer({
  config: sampleConfig(`http://127.0.0.1:${upstream.port}/v1`, { models }),
});
const { key } = await server.createKey('enterprise');
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});

const error = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });
const openai = (message: string) => error(message, { type: HIDDEN, code: null, param: HIDDEN });
const google = (message: string) => error(message, { code: 400, status: 'INVALID_ARGUMENT' });
const anthropic = (message: string) =>
  JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: HIDDEN });
const bedrock = (message: string) => JSON.stringify({ message, __type: HIDDEN });

/** The errors of the hosts of each wire: for a prompt that is too long, and for anything else. */
const wordings: readonly {
  model: string;
  says: (message: string) => string;
  long: string[];
  other: string;
  /** The client's field that it names. */
  param?: string;
}[] = [
  {
    model: '@svc/test-small',
    says: openai,
    long: [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'Please reduce the length of the messages or completion.',
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      'the request exceeds the available context size, try increasing it',
      'Your request exceeded model token limit: 131072',
      'too many tokens: total number of tokens in the prompt cannot exceed 4081',
    ],
    other: "Invalid type for 'messages[0].content'",
  },
  {
    model: 'test-responses',
    says: openai,
    long: ['Your input exceeds the context window of this model. Please adjust your input and try again.'],
    other: "Unknown parameter: 'input[0].colour'.",
  },
  {
    model: 'test-messages',
    says: anthropic,
    long: ['prompt is too long: 205000 tokens > 200000 maximum'],
    other: 'messages.0.content: Input should be a valid list',
    param: 'messages',
  },
  {
    model: 'test-google',
    says: google,
    long: ['The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).'],
    other: 'Invalid JSON payload received. Unknown name "colour"',
  },
  {
    model: 'test-bedrock',
    says: bedrock,
    long: ['Input is too long for requested model.', 'The model returned: too many input tokens'],
    other: 'Malformed input request, please reformat your input and try again.',
  },
];

for (const { model, says, long, other, param } of wordings) {
  test(`an upstream's 400 about length is a client error, in the text of ${model}'s wire [ERR-48]`, async () => {
    for (const stream of [false, true]) {
      for (const message of long) {
        Object.assign(next, {
          status: 400,
          body: says(`${message} (${HIDDEN}-${model.replace('@svc/', '')} at http://${HIDDEN}.example)`),
        });
        const answer = await server.chat(key, model, { stream });
        expectNoTrace(answer, [upstream.port!]);
        expectRefusal(answer, 400, 'context_length_exceeded');
      }
      Object.assign(next, { status: 400, body: says(`${other} (${HIDDEN}-${model.replace('@svc/', '')})`) });
      const answer = await server.chat(key, model, { stream });
      expectNoTrace(answer, [upstream.port!]);
      expectRefusal(answer, 400, 'invalid_request', param);
    }
  });
}

test('a refused provider key alerts the operator once without a 401', async () => {
  const id = `${HIDDEN}-anthropic-messages`;
  const shown = async () => (await server.admin('GET', `/providers/${id}`)).body;
  const refusals = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('provider-key-refused'));
  /** The number of refused keys, and whether this provider's key is one of them. */
  const refused = async () => {
    const { text } = await server.call('/metrics');
    const value = (series: string) => new RegExp(`^${series} (\\d)$`, 'm').exec(text)?.[1];
    return [
      value('tollgate_refused_provider_keys'),
      value(`tollgate_provider_key_refused\\{provider="${id}"\\}`),
    ];
  };
  const ask = async (status: number) => {
    Object.assign(next, { status, body: anthropic('invalid x-api-key') });
    const answer = await server.chat(key, 'test-messages');
    expectNoTrace(answer, [upstream.port!]);
    return answer;
  };
  expect((await shown()).key_refused_since).toBeNull();
  expect(await refused()).toEqual(['0', '0']);
  expectRefusal(await ask(401), 503, 'upstream_unavailable');
  expect(JSON.parse(refusals()[0]!)).toMatchObject({
    level: 'error',
    provider: id,
    model: `${HIDDEN}-test-messages`,
    status: 401,
    message: 'invalid x-api-key',
  });
  expect(await shown()).toMatchObject({
    key_refused_since: null, // the refusal may concern one model
    health: 'faulty',
    fault: {
      cause: 'key_refused',
      model: `${HIDDEN}-test-messages`,
      status: 401,
      message: 'invalid x-api-key',
      remedy: expect.stringContaining("Replace the provider's key"),
    },
    last_error: { model: `${HIDDEN}-test-messages`, status: 401, message: 'invalid x-api-key' },
  });
  for (let count = 1; count < 5; count++)
    expectRefusal(await ask(count % 2 === 0 ? 401 : 403), 503, 'upstream_unavailable');
  const { health, key_refused_since: since, targets } = await shown();
  expect(health).toBe('down');
  expect(Number.isNaN(Date.parse(since))).toBe(false);
  expect(await refused()).toEqual(['1', '1']);
  expect(targets).toEqual([
    {
      model: `${HIDDEN}-test-messages`,
      circuit: 'closed',
      pause_left_ms: 0,
      in_flight: 0,
      error_rate: expect.any(Number),
      first_byte_ms: { whole: null, stream: null },
    },
  ]);
  expect(refusals().length).toBe(1);
  expect(refusals()[0]).toContain(id);
  await ask(400); // it read the request, so it took the key
  expect((await shown()).key_refused_since).toBeNull();
  expect(await refused()).toEqual(['0', '0']);
});
