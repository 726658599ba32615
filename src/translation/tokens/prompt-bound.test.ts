import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { knownBody } from '../../base/json/json-body.ts';
import { findTokenFamily } from './find-token-family.ts';
import { PromptBound } from './prompt-bound.ts';
import { type TextBounder, TokenCounter } from './token-counter.ts';
import type { TokenFamily } from './token-families.ts';
import { loadVocabulary } from './vocabulary.ts';

/** Only a last resort for a busy machine. */
const timeoutMs = 120_000;
setDefaultTimeout(timeoutMs);
const counter = new TokenCounter({ timeoutMs });
afterAll(() => counter.close());

const familyOf = (upstreamModel: string): TokenFamily =>
  findTokenFamily({ upstreamModel, isSimulated: false });
const openai = familyOf('gpt-4o');
const simulated = findTokenFamily({ upstreamModel: 'gpt-4o', isSimulated: true });
const WINDOW = 10_000_000;

type Terms = { families?: TokenFamily[]; contextWindow?: number; by?: TextBounder };

async function bound(body: object | string, { by = counter, ...terms }: Terms = {}): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const parsed = knownBody(text, JSON.parse(text));
  return new PromptBound({ body: parsed }, by).for({
    families: [openai],
    contextWindow: WINDOW,
    isChat: true,
    ...terms,
  });
}

const count = await loadVocabulary('o200k');
const long = 'The committee met on Thursday to discuss the harbour. '.repeat(2_000);
const tokens = count(long);
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

describe('holds credit for everything that a vendor may read [CRD-47]', () => {
  const places: Record<string, object> = {
    'the name of a member of a call': user({ type: 'tool_use', id: 'a', name: 'b', input: { [long]: 1 } }),
    'the name of a member of a part': user({ type: 'text', text: 'a', [long]: 1 }),
    'an unknown member of a part': user({ type: 'text', text: 'a', extra: { deep: [long] } }),
    'an unknown part': user({ type: 'new', value: long }),
    'an unknown member of the body': { ...user(), extra: long },
    'the name of a member of the body': { ...user(), [long]: 1 },
    suffix: { prompt: 'a', suffix: long },
    user: { ...user(), user: long },
    'the id of a call': user({ type: 'tool_result', tool_use_id: long, content: 'a' }),
    'a signature': user({ type: 'thinking', thinking: 'a', signature: long }),
    'encrypted reasoning': { input: [{ type: 'reasoning', summary: [], encrypted_content: long }] },
    'a format': { ...user(), response_format: { type: 'json_schema', json_schema: { name: long } } },
    'a tool': {
      ...user(),
      tools: [{ type: 'function', function: { name: 'a', parameters: { [long]: {} } } }],
    },
    'the address of an image': user({ type: 'image_url', image_url: { url: `https://a.example/${long}` } }),
    'text beside an image': user({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', note: long },
    }),
    'a text document in base64': user({
      type: 'document',
      source: { type: 'base64', media_type: 'text/plain', data: Buffer.from(long).toString('base64') },
    }),
  };

  test.each(Object.entries(places))('%s', async (_, body) => {
    expect(await bound({ model: 'm', ...body })).toBeWithin(tokens, tokens * 1.05 + 1_600);
  });

  const encodedLong = Buffer.from(long).toString('base64');
  test.each([
    { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: encodedLong } },
    { type: 'input_file', file_data: `DATA:Text/Plain;charset=utf-8;base64,${encodedLong}` },
    { type: 'input_file', file_data: `data:text/plain,${long}` },
  ])('a text document %#, without an exact vocabulary', async (part) => {
    const families = [familyOf('claude-x')];
    expect(await bound(user(part), { families })).toBeGreaterThanOrEqual(long.length);
    expect(await bound(user(part))).toBeWithin(tokens, tokens * 1.05 + 1_600);
  });

  const highBytes = Buffer.alloc(30_000, 0x80).toString('base64');

  test('a text document that is longer in UTF-8, without an exact vocabulary', async () => {
    const families = [familyOf('claude-x')];
    const file_data = `data:text/plain;charset=windows-1252;base64,${highBytes}`;
    const euros = '\u20ac'.repeat(30_000);
    expect(await bound(user({ type: 'input_file', file_data }), { families })).toBeGreaterThanOrEqual(
      Buffer.byteLength(euros),
    );
  });

  test('text beside an image with a character set, without an exact vocabulary', async () => {
    const families = [familyOf('claude-x')];
    const image_url = `data:image/png;charset=windows-1252;base64,${highBytes}`;
    const parts = [
      { type: 'input_image', image_url },
      { type: 'input_text', text: long },
    ];
    expect(await bound(user(...parts), { families })).toBeGreaterThanOrEqual(long.length);
  });

  test('every token of a prompt that is given as tokens', async () => {
    const prompt = Array.from({ length: 5_000 }, (_, at) => at);
    expect(await bound({ prompt })).toBeWithin(5_000, 5_030);
    expect(await bound({ prompt: [prompt, prompt] })).toBeWithin(10_000, 10_030);
  });

  test('the duplicate member that another parser keeps', async () => {
    const twice = `{"messages":[{"role":"user","content":${JSON.stringify(long)},"content":"a"}]}`;
    expect(await bound(twice)).toBeWithin(long.length, long.length + 100);
  });

  test('every digit of a number that parsing rounds', async () => {
    const body = `{"messages":[{"role":"user","content":"a","n":${'1'.repeat(4_000)}}]}`;
    expect(await bound(body)).toBeWithin(4_000 - 30, 4_060);
  });
});

describe('bounds unseen content by the window', () => {
  const window = { contextWindow: 128_000 };
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' };
  const unseen: Record<string, object> = {
    'a document at an address': user({
      type: 'document',
      source: { type: 'url', url: 'https://a.example' },
    }),
    'a document stored at the vendor': {
      input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }],
    },
    'a compressed document': user({ type: 'document', source: pdf }),
    'an unknown part that refers to external content': user({
      type: 'video',
      video_url: { url: 'https://a.example' },
    }),
    'a template stored at the vendor': { input: 'a', prompt: { id: 'pmpt_1' } },
    'an earlier audio answer': { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
  };

  test.each(Object.entries(unseen))('%s', async (_, body) => {
    expect(await bound(body, window)).toBe(128_000);
  });

  test('for each prompt separately', async () => {
    const prompts = { prompt: [long, long, 'a'] };
    expect(await bound(prompts, { contextWindow: 1_000 })).toBe(3_000);
  });

  test('counts an image as the most tokens that its maker counts', async () => {
    const linked = user({ type: 'image_url', image_url: { url: 'https://a.example/b.png' } });
    expect(await bound(linked, window)).toBeWithin(1_445, 1_445 + 40);
    expect(await bound(linked, { ...window, families: [familyOf('claude-x')] })).toBeWithin(5_000, 5_300);
    expect(await bound(linked, { ...window, families: [familyOf('qwen-vl')] })).toBe(128_000);
  });
});

describe('counts sound by its longest possible duration', () => {
  const wave = ({ samples = 24_000, claimed = 48_000 } = {}) => {
    const header = Buffer.from(
      'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0',
      'latin1',
    );
    header.writeUInt32LE(samples, 24);
    header.writeUInt32LE(claimed, 28);
    return Buffer.concat([header, Buffer.alloc(480_000 - header.length)]).toString('base64');
  };
  const heard = (data: string, format = 'wav') =>
    bound(user({ type: 'input_audio', input_audio: { data, format } }));

  test('from its header, if the header is consistent', async () => {
    expect(await heard(wave())).toBeWithin(100, 130); // ten seconds
  });

  test('and ignores a forged header', async () => {
    expect(await heard(wave({ claimed: 4_000_000_000 }))).toBeGreaterThan(480);
    expect(await heard(wave({ samples: 2_000_000_000, claimed: 4_000_000_000 }))).toBeGreaterThan(480);
    expect(await heard('A'.repeat(64_000), 'mp3')).toBeGreaterThan(480); // 48 s of eight kilobits
  });
});

const schema = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const letters = Array.from({ length: 5_000 }, (_, at) => String.fromCharCode(97 + (at % 26)));
const text = { type: 'string' };
type Functions = readonly { name: string; description?: string; parameters: object }[];
const asTools = (functions: Functions) =>
  functions.map((declared) => ({ type: 'function', function: declared }));
const greeting = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };

/**
 * The prompt tokens that OpenAI's API reported for the message "hello" with these functions, as published.
 */
const reported: [count: number, functions: Functions][] = [
  [31, [{ name: 'foo', parameters: schema({}) }]],
  [36, [{ name: 'foo', description: 'Do a foo', parameters: schema({}) }]],
  [49, [{ name: 'bing_bong', description: 'Do a bing bong', parameters: schema({ foo: text }) }]],
  [
    68,
    [
      {
        name: 'bing_bong',
        description: 'Do a bing bong',
        parameters: schema({
          foo: schema({ bar: { type: 'string', enum: ['a', 'b', 'c'] }, baz: { type: 'boolean' } }),
        }),
      },
    ],
  ],
  [
    106,
    [
      {
        name: 'get_recipe',
        parameters: schema(
          {
            ingredients: {
              type: 'array',
              items: schema(
                {
                  name: text,
                  unit: { enum: ['grams', 'ml', 'cups', 'pieces', 'teaspoons'], type: 'string' },
                  amount: { type: 'number' },
                },
                ['name', 'unit', 'amount'],
              ),
            },
            instructions: {
              type: 'array',
              items: text,
              description: 'Steps to prepare the recipe (no numbering)',
            },
            time_to_cook: { type: 'number', description: 'Total time to prepare the recipe in minutes' },
          },
          ['ingredients', 'instructions', 'time_to_cook'],
        ),
      },
    ],
  ],
];

describe('counts tools as the vendor writes them into the prompt [CRD-47]', () => {
  test.each(
    reported,
  )('and holds what OpenAI reports, %i tokens, and at most 1.3 times that', async (claimed, functions) => {
    const families = [familyOf('gpt-3.5-turbo')];
    for (const offered of [{ functions }, { tools: asTools(functions) }])
      expect(await bound({ ...greeting, ...offered }, { families })).toBeWithin(claimed, claimed * 1.3 + 1);
  });

  test('after the page of instructions of gpt-oss', async () => {
    const rendered = [
      '# Tools\n\n## functions\n\nnamespace functions {\n\n// Gets the weather of a city\ntype weather = (_: {',
      '// The city\ncity: string,\nunit?: "celsius" | "fahrenheit",\n}) => any;\n\n} // namespace functions',
    ].join('\n');
    const city = { type: 'string', description: 'The city' };
    const unit = { type: 'string', enum: ['celsius', 'fahrenheit'] };
    const parameters = { ...schema({ city, unit }, ['city']), additionalProperties: false };
    const tools = asTools([{ name: 'weather', description: 'Gets the weather of a city', parameters }]);
    const claimed = 61 + 14 + 4 + 5 + 2 + count(rendered); // system turn, its line on tools, and three frames
    const families = [familyOf('gpt-oss-120b')];
    expect(await bound({ ...greeting, tools }, { families })).toBeWithin(claimed, claimed * 1.3);
    const plain = await bound({ ...greeting, tools });
    expect(plain).toBeWithin(8 + count(rendered), (8 + count(rendered)) * 1.3);
  });

  test('with a mark around each value of a list', async () => {
    const tools = asTools([{ name: 'f', parameters: schema({ a: { type: 'string', enum: letters } }) }]);
    expect(await bound({ ...greeting, tools })).toBeWithin(20_032, 20_032 * 1.01);
  });

  test('with a definition wherever it is referred to', async () => {
    const $defs = { page: { type: 'string', description: long } };
    const page = { $ref: '#/$defs/page' };
    const tools = (properties: object) =>
      asTools([{ name: 'f', parameters: { ...schema(properties), $defs } }]);
    for (const properties of [{}, { a: page }])
      expect(await bound({ ...greeting, tools: tools(properties) })).toBeWithin(tokens, tokens * 1.1);
    const thrice = await bound({ ...greeting, tools: tools({ a: page, b: page, c: page }) });
    expect(thrice).toBeWithin(3 * tokens, 3 * tokens * 1.1);
  });

  const branching: Record<string, (next: object) => object> = {
    objects: (next) => schema({ a: next, b: next }),
    'lists, which write nothing themselves': (next) => ({ prefixItems: [next, next] }),
    variants: (next) => ({ anyOf: [next, next] }),
  };

  test.each(
    Object.entries(branching),
  )('by the window, if references make a tool too long: %s', async (_, branch) => {
    const levels = Array.from({ length: 40 }, (_, at): [string, object] => [
      `d${at}`,
      branch({ $ref: `#/$defs/d${at + 1}` }),
    ]);
    const $defs = { ...Object.fromEntries(levels), d40: { type: 'integer' } };
    const tools = asTools([{ name: 'f', parameters: { $ref: '#/$defs/d0', $defs } }]);
    expect(await bound({ ...greeting, tools }, { contextWindow: 128_000 })).toBe(128_000);
  });

  const everywhere: Record<string, object> = {
    'an unknown keyword': { a: { ...text, later: long } },
    'an unknown keyword of an element': { a: { type: 'array', items: { ...text, later: { deep: [long] } } } },
    'a name that is required and absent': { a: { type: 'object', required: [long] } },
    'a definition of a part': { a: { ...text, $defs: { b: { title: long } } } },
    'an unreachable cycle of definitions': { a: { ...text, $defs: { b: { $ref: '#/b', title: long } } } },
    'a flag that is none': { a: { ...text, nullable: long, additionalProperties: long, $schema: long } },
    'an example, a default and a constant': { a: { examples: [long], default: long, const: long } },
    'a type that is none': { a: { type: { b: long } } },
    'a variant': { a: { anyOf: [text, { not: { enum: [long] } }] } },
    'a name': { [long]: true },
  };

  test.each(Object.entries(everywhere))('with the text in %s', async (_, properties) => {
    const tools = asTools([{ name: 'f', parameters: schema(properties) }]);
    expect(await bound({ ...greeting, tools })).toBeWithin(tokens, tokens * 3.2);
  });

  test('with the function that stands for a tool of another vendor', async () => {
    const own = [{ type: 'bash_20250124', name: 'bash' }];
    const plain = await bound({ ...greeting, tools: [{ type: 'function', name: 'bash' }] });
    expect(await bound({ ...greeting, tools: own })).toBeGreaterThan(plain + 30);
  });

  test('with each byte, name and escape of any form where the vocabulary is not published', async () => {
    const families = [familyOf('qwen3-coder')];
    const held = async (properties: object) =>
      bound({ ...greeting, tools: asTools([{ name: 'f', parameters: schema(properties) }]) }, { families });
    const without = await held({});
    const signs = '<é中>'.repeat(500);
    expect((await held({ a: { ...text, description: signs } })) - without).toBeGreaterThan(6 * signs.length);
    const empty = Object.fromEntries(letters.slice(0, 26).map((letter) => [letter, {}]));
    expect((await held(empty)) - without).toBeGreaterThan(26 * 16);
  });
});

describe('otherwise counts a byte as a token', () => {
  const body = { model: 'm', ...user({ type: 'text', text: long }) };
  const bytes = Buffer.byteLength(JSON.stringify(body));

  test('for a model without a published vocabulary, or whose name only suggests one', async () => {
    for (const name of ['claude-x', 'gemini-x', 'llama-x', 'anything', 'biogpt-4'])
      expect(await bound(body, { families: [familyOf(name)] })).toBeWithin(bytes, bytes + 200);
    for (const name of ['gpt-4o', 'openai/gpt-4.1', 'gpt-5-mini', 'gpt-oss-120b', 'o3', 'gpt-3.5-turbo'])
      expect(await bound(body, { families: [familyOf(name)] })).toBeLessThan(tokens * 1.02 + 200);
  });

  test('if the texts cannot be counted, or not in time', async () => {
    const never = { boundTexts: () => undefined };
    expect(await bound(body, { by: never })).toBeWithin(bytes, bytes + 20);
    const failing = new TokenCounter({ start: () => new Worker('/nowhere/at-all.ts') });
    expect(await bound(body, { by: failing })).toBeWithin(bytes, bytes + 20);
    failing.close();
    expect(await bound(body, { by: failing })).toBeWithin(bytes, bytes + 20);
  });

  test('and uses the largest count of the models that may serve the request', async () => {
    const both = await bound(body, { families: [openai, familyOf('claude-x')] });
    expect(both).toBe(await bound(body, { families: [familyOf('claude-x')] }));
    expect(both).toBe(await bound(body, { families: [familyOf('claude-x'), openai] }));
  });
});

test('does not count a known text again', async () => {
  let asked = 0;
  const watched = new TokenCounter({ timeoutMs });
  const by: Terms['by'] = {
    boundTexts(...question) {
      const counting = watched.boundTexts(...question);
      if (counting instanceof Promise) asked++;
      return counting;
    },
  };
  const first = await bound(user({ type: 'text', text: long }), { by });
  expect(await bound(user({ type: 'text', text: long }), { by })).toBe(first);
  expect(asked).toBe(1);
  expect(await bound(user({ type: 'text', text: `${long}!` }), { by })).toBeGreaterThanOrEqual(first);
  expect(asked).toBe(2);
  watched.close();
});

test('uses the known rules of the built-in upstream', async () => {
  const file = { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(4_000) };
  expect(await bound(user({ type: 'document', source: file }), { families: [simulated] })).toBeWithin(30, 70);
});
