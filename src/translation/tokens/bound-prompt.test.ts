import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { parseJsonObject } from '../../base/json/json-body.ts';
import { PromptBound } from './bound-prompt.ts';
import { TokenCounter } from './token-counter.ts';
import { type TokenFamily, tokenFamily } from './token-family.ts';
import { loadVocabulary } from './vocabulary.ts';

/** Only a last resort for a busy machine. */
const timeoutMs = 120_000;
setDefaultTimeout(timeoutMs);
const counter = new TokenCounter({ timeoutMs });
afterAll(() => counter.close());

const familyOf = (upstreamModel: string): TokenFamily => tokenFamily({ upstreamModel, isSimulated: false });
const openai = familyOf('gpt-4o');
const simulated = tokenFamily({ upstreamModel: 'gpt-4o', isSimulated: true });
const WINDOW = 10_000_000;

type Terms = { families?: TokenFamily[]; contextWindow?: number; by?: Pick<TokenCounter, 'boundTexts'> };

async function bound(body: object | string, { by = counter, ...terms }: Terms = {}): Promise<number> {
  const parsed = parseJsonObject(typeof body === 'string' ? body : JSON.stringify(body));
  if (!('value' in parsed)) throw parsed;
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
  const wave = ({ samples = 24_000, told = 48_000 } = {}) => {
    const header = Buffer.from(
      'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0',
      'latin1',
    );
    header.writeUInt32LE(samples, 24);
    header.writeUInt32LE(told, 28);
    return Buffer.concat([header, Buffer.alloc(480_000 - header.length)]).toString('base64');
  };
  const heard = (data: string, format = 'wav') =>
    bound(user({ type: 'input_audio', input_audio: { data, format } }));

  test('from its header, if the header is consistent', async () => {
    expect(await heard(wave())).toBeWithin(100, 130); // ten seconds
  });

  test('and ignores a forged header', async () => {
    expect(await heard(wave({ told: 4_000_000_000 }))).toBeGreaterThan(480);
    expect(await heard(wave({ samples: 2_000_000_000, told: 4_000_000_000 }))).toBeGreaterThan(480);
    expect(await heard('A'.repeat(64_000), 'mp3')).toBeGreaterThan(480); // 48 s of eight kilobits
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
