import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, simulated } from '../support/wire-models.ts';

const TURNS = 10;
/** The simulator reports whole blocks of this many tokens, as vendors do. */
const BLOCK = 128;
/** The most tokens of one more turn: the answer before it and the next question. */
const STEP = 60;

const wires = chatWires.map((wire) => ({
  name: wire,
  route: simulated(wire, `cached-claude-${wire}`),
  fields: {},
}));
const developer = (name: string, fields: Json) => ({
  name,
  route: simulated('openai-responses', 'gpt-6.2-sol'),
  fields,
});
const models = [
  ...wires,
  developer('gpt-6.2', { system_as: 'developer' }),
  developer('gpt-6.2-instructions', {}),
];
const server = await startServer({
  config: {
    catalog: { models: models.map(({ name, route, fields }) => ableModel(name, [route], fields)) },
  },
});
afterAll(() => server.stop());
const key = await server.createKey('enterprise');

/** The counts of one answer. `input` includes what was cached. */
type Counts = { input: number; cached: number };
type Turn = { said: string; items: Json[] };
type Dialect = {
  path: string;
  /**
   * Returns the request with all turns so far. The last turn is marked for vendors that cache what is marked.
   */
  body(system: string, turns: readonly Turn[], question: string): Json;
  counts(usage: Json): Counts;
  /** Returns the answer as later requests return it. */
  answer(body: Json): Json[];
};

const mark = { cache_control: { type: 'ephemeral' } };
const chatTurns = ({ said, items }: Turn): Json[] => [{ role: 'user', content: said }, ...items];
const marked = (text: string) => [{ type: 'text', text, ...mark }];

const dialects: Record<string, Dialect> = {
  chat: {
    path: '/v1/chat/completions',
    body: (system, turns, question) => ({
      max_tokens: 200,
      messages: [
        { role: 'system', content: system },
        ...turns.flatMap(chatTurns),
        { role: 'user', content: marked(question) },
      ],
    }),
    counts: (usage) => ({
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    }),
    answer: ({ choices }) => [{ role: 'assistant', content: choices[0].message.content }],
  },
  messages: {
    path: '/v1/messages',
    body: (system, turns, question) => ({
      max_tokens: 200,
      system,
      messages: [...turns.flatMap(chatTurns), { role: 'user', content: marked(question) }],
    }),
    counts: (usage) => ({
      input: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
      cached: usage.cache_read_input_tokens,
    }),
    answer: ({ content }) => [{ role: 'assistant', content }],
  },
  responses: {
    path: '/v1/responses',
    body: (system, turns, question) => ({
      max_output_tokens: 200,
      store: false,
      input: [
        { role: 'developer', content: system },
        ...turns.flatMap(chatTurns),
        {
          role: 'user',
          content: [{ type: 'input_text', text: question, prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
      ],
    }),
    counts: ({ input_tokens, input_tokens_details }) => ({
      input: input_tokens,
      cached: input_tokens_details.cached_tokens,
    }),
    answer: ({ output }) => output,
  },
};

const MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);
const withoutMarks = (body: Json): Json =>
  JSON.parse(JSON.stringify(body, (member, value) => (MARKS.has(member) ? undefined : value)));

/** A client that leaves it to the vendor what to cache, as agents on OpenAI's protocols do. */
const named = (dialect: Dialect): Dialect => ({
  ...dialect,
  body: (...parts) => ({ ...withoutMarks(dialect.body(...parts)), prompt_cache_key: 'session-1' }),
});

for (const name of ['chat', 'responses']) dialects[`${name} with a cache key`] = named(dialects[name]!);

async function converse(model: string, name: string): Promise<Counts[]> {
  const dialect = dialects[name]!;
  const system = `${model} ${name}. ${'Be brief and answer in words. '.repeat(400)}`;
  const turns: Turn[] = [];
  const counts: Counts[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const said = `say: the answer to question ${turn}`;
    const body = { model, ...dialect.body(system, turns, said) };
    const answer = await server.call(dialect.path, { headers: bearer(key.key), body });
    expect({ model, turn, status: answer.status, result: answer.status === 200 ? '' : answer.text }).toEqual({
      model,
      turn,
      status: 200,
      result: '',
    });
    counts.push(dialect.counts(answer.body.usage));
    turns.push({ said, items: dialect.answer(answer.body) });
  }
  return counts;
}

const names = Object.keys(dialects);

describe('each of ten turns reads the turns before it from the cache', () => {
  for (const { name: model } of models.filter((one) => one.name !== 'gpt-6.2-instructions'))
    test.each(names)(`%s on ${model}`, async (name) => {
      const counts = await converse(model, name);
      expect(counts[0]!.cached).toBe(0);
      for (const [turn, { input, cached }] of counts.entries()) {
        if (turn === 0) continue;
        // Everything is read but the newest turn, less the rest of a block.
        expect([turn, cached > counts[turn - 1]!.input - BLOCK, input - cached < STEP + BLOCK]).toEqual([
          turn,
          true,
          true,
        ]);
      }
    });
});

test.each([
  'chat',
  'messages',
])('a model that caches only a leading developer message reads nothing from instructions: %s', async (name) => {
  const counts = await converse('gpt-6.2-instructions', name);
  expect(counts.map(({ cached }) => cached)).toEqual(Array.from({ length: TURNS }, () => 0));
});

test("a client's own instructions stay in place on the same wire, and the vendor does not cache them", async () => {
  const body = {
    model: 'gpt-6.2',
    instructions: 'Be brief. '.repeat(1_000),
    input: 'say: fine',
    store: false,
  };
  for (let turn = 0; turn < 2; turn++) {
    const answer = await server.call('/v1/responses', { headers: bearer(key.key), body });
    expect(answer.body.usage.input_tokens_details.cached_tokens).toBe(0);
  }
});

test('the default catalog marks each model of this kind', async () => {
  const { default: catalog } = await import('../../src/settings/catalog/default-catalog.json');
  const rows = catalog.models as { id: string; system_as?: string; routes: { model: string }[] }[];
  const marked = rows.filter(({ system_as }) => system_as === 'developer').map(({ id }) => id);
  const ofRule = rows.filter(({ routes }) => routes.some(({ model }) => model.startsWith('gpt-6.2')));
  expect(marked).toEqual(ofRule.map(({ id }) => id));
  expect(marked.length).toBeGreaterThan(0);
});
