import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { estimateBody } from './estimate-body.ts';
import { estimateText } from './estimate-text.ts';
import { findTokenFamily } from './find-token-family.ts';
import { generatedTexts } from './testing/generated-texts.ts';
import { writtenTexts } from './testing/written-texts.ts';
import { loadVocabulary } from './vocabulary.ts';

const family = findTokenFamily({ upstreamModel: 'gpt-4o', isSimulated: false });
const estimate = (value: Record<string, unknown>, tools?: unknown) => {
  const head = tools === undefined ? '' : JSON.stringify(tools);
  const members = new Map(tools === undefined ? [] : [['tools', { start: 0, end: head.length }]]);
  return estimateBody({ text: head, members, value: { ...value, tools } }, family);
};
const noise = (length: number): string => {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[state % 64];
  }).join('');
};

const samples: Record<string, string> = {
  English:
    'The committee met on Thursday to discuss the proposed changes to the harbour. Most of its members were late, and those who came had not read the papers.',
  code: 'export function add(one: number, other: number): number {\n  // nothing special\n  return one + other;\n}\n',
  JSON: '{"id":17,"name":"seventeen","tags":["odd","prime"],"price":19.95,"owner":null}',
  Chinese: '这座城市的港口在冬天结冰，渔民们只好等到春天。',
  Japanese: '港は冬になると凍り、漁師たちは春を待つしかない。',
  Korean: '항구는 겨울이 되면 얼어붙고 어부들은 봄을 기다린다.',
  Russian: 'Зимой гавань замерзает, и рыбакам остаётся ждать весны.',
  German: 'Im Winter friert der Hafen zu, und den Fischern bleibt nichts, als auf den Frühling zu warten.',
  numbers: '17 2048 3.14159 2026-11-21 1000000 42\n',
  base64: noise(300),
};

const ofAtLeast = (length: number, next: () => string): string => {
  let text = '';
  while (text.length < length) text += next();
  return text;
};

describe.each<VocabularyName>(['p50k', 'cl100k', 'o200k'])('with %s', async (vocabulary) => {
  const count = await loadVocabulary(vocabulary);
  const errorOf = (text: string): number =>
    estimateText(text, vocabulary, { random: seededRandom(5) }) / count(text) - 1;

  test.each(Object.entries(writtenTexts))('estimates %s within 15 %', (_, text) => {
    expect(Math.abs(errorOf(ofAtLeast(1_000, () => `${text}\n`)))).toBeLessThan(0.15);
  });

  test.each(Object.entries(generatedTexts))('estimates %s within 15 %', (_, make) => {
    const random = seededRandom(11);
    for (const length of [1_000, 30_000])
      expect(Math.abs(errorOf(ofAtLeast(length, () => make(random))))).toBeLessThan(0.15);
  });

  test('estimates a text of all of them within 15 %, at any length', () => {
    const all = Object.values(writtenTexts).join('\n');
    for (const text of [all, all.repeat(5), all.repeat(30)])
      expect(Math.abs(errorOf(text))).toBeLessThan(0.15);
  });
});

const shuffled = (from: number, kinds: number, length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(from + ((at * at * 31 + at * 7) % kinds))).join('');

describe('no text can look much shorter than it is', async () => {
  const count = await loadVocabulary('o200k');
  const awkward: Record<string, string> = {
    'accented letters': shuffled(0xc0, 61, 4_000),
    'stacked combining marks': shuffled(0x300, 109, 4_000),
    'Cyrillic without spaces': shuffled(0x410, 61, 4_000),
    'Arabic without spaces': shuffled(0x620, 41, 4_000),
    'Hangul without spaces': shuffled(0xac00, 9_973, 4_000),
    'single letters between spaces': 'a b c d e f g '.repeat(400),
    'Cyrillic text with a part without spaces': samples.Russian!.repeat(3) + shuffled(0x410, 61, 400),
  };
  test.each(Object.entries(awkward))('%s', (_, text) => {
    for (const long of [text, text.repeat(30)])
      expect(estimateText(long, 'o200k') / count(long)).toBeWithin(0.2, 2.5);
  });

  test('not with light pieces in the places of predictable samples', () => {
    const length = 128 * 1_024;
    const heavy = noise(length);
    const stride = (length - 1_024) / 31;
    let text = heavy;
    for (let sample = 0; sample < 32; sample++) {
      const from = Math.floor(sample * stride);
      text = `${text.slice(0, from)}${' '.repeat(1_024)}${text.slice(from + 1_024)}`;
    }
    expect(estimateText(text, 'o200k') / count(text)).toBeWithin(0.6, 1.4);
  });
});

describe('a text of characters that are in no token costs more than one token for each', async () => {
  const count = await loadVocabulary('o200k');
  test.each([
    ['full-width letters', 0xff01, 94],
    ['phonetic letters', 0x250, 90],
    ['Tibetan letters', 0xf40, 44],
    ['rare Han characters', 0x3400, 6_000],
    ['Yi syllables', 0xa000, 1_000],
    ['private characters', 0xe000, 6_000],
    ['arrows', 0x2190, 100],
    ['mathematical letters', 0x1d400, 1_000],
    ['hieroglyphs', 0x13000, 1_000],
  ] as const)('%s', (_, from, kinds) => {
    const text = shuffled(from, kinds, 2_000);
    expect(estimateText(text, 'o200k') / count(text)).toBeWithin(0.6, 1.6);
  });
});

test('the samples of a very long text are whole words', () => {
  const estimateFor = (words: number) => {
    const text = ' international'.repeat(words);
    return estimateText(text, 'o200k', { share: 0.001, random: () => 0.5 }) / words;
  };
  expect(estimateFor(1_500_000)).toBeCloseTo(estimateFor(100_000), 2);
});

test('the certain part of pages of long words is at most their count', async () => {
  const count = await loadVocabulary('o200k');
  for (const page of ['international '.repeat(500), 'responsibilities '.repeat(500)]) {
    const { least } = estimate({ input: page });
    expect(least, page.slice(0, 5)).toBeLessThanOrEqual(count(page));
  }
});

test('estimates a long conversation of texts of every kind and length within 5 % of its texts', () => {
  const texts = [...Object.values(writtenTexts), ...Object.values(samples)].map((text, at) =>
    text.repeat(1 + (at % 40)),
  );
  const whole = texts.reduce((sum, text) => sum + estimateText(text, 'o200k', { share: 1 }), 0);
  expect(texts.join('').length).toBeGreaterThan(150_000);
  for (let time = 0; time < 20; time++) {
    const { likely } = estimate({ messages: texts.map((content) => ({ role: 'user', content })) });
    expect((likely - texts.length * family.turnTokens) / whole).toBeWithin(0.95, 1.05);
  }
});

describe('estimates a body as it was sent', () => {
  const text = samples.English!.repeat(10);
  const words = estimateText(text, 'o200k');
  const shapes: Record<string, Record<string, unknown>> = {
    'of chat completions': { messages: [{ role: 'user', content: text }] },
    'of messages, in blocks': { messages: [{ role: 'user', content: [{ type: 'text', text }] }] },
    'of responses, in items': {
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
    },
    'of responses, as a string': { input: text },
    'of completions': { prompt: [text] },
    'with a system prompt': { system: text, messages: [] },
    'with a tool result': {
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x'.repeat(99), content: text }] },
      ],
    },
    'with a text document': {
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', source: { type: 'text', data: text, media_type: 'text/plain' } }],
        },
      ],
    },
  };

  test.each(Object.entries(shapes))('%s', (_, value) => {
    expect(estimate(value).likely).toBeWithin(words, words + 8);
    expect(estimate(value).least).toBeWithin(words / 4 - 1, words / 4 + 8);
  });

  test('with its tools', () => {
    const tools = [{ name: 'weather', description: text }];
    expect(estimate({ messages: [] }, tools).likely).toBeWithin(words, words + 20);
  });
});

test('estimates a flat list of tokens as its length', () => {
  const tokens = Array<number>(8_000).fill(7);
  expect(estimate({ input: tokens })).toEqual({ likely: 8_000, least: 2_000 });
  expect(estimate({ prompt: [tokens, tokens] }).likely).toBe(2 * (8_000 + family.turnTokens));
});

describe('estimates media by their content', () => {
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    Buffer.from([0, 0, 4, 0, 0, 0, 4, 0]),
    Buffer.alloc(600_000, 7),
  ]).toString('base64');
  const url = `data:image/png;base64,${png}`;
  const part = (block: unknown) => estimate({ messages: [{ role: 'user', content: [block] }] });
  const pictures: Record<string, unknown> = {
    messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    'chat completions': { type: 'image_url', image_url: { url } },
    responses: { type: 'input_image', image_url: url },
    'a tool result': {
      type: 'tool_result',
      content: [{ type: 'image', source: { type: 'base64', data: png } }],
    },
  };

  test.each(Object.entries(pictures))('a picture in %s', (_, block) => {
    expect(part(block)).toEqual({ likely: 768, least: 768 });
  });

  test('linked content as likely but not certain', () => {
    expect(part({ type: 'image_url', image_url: { url: 'https://a.example/b.png' } })).toEqual({
      likely: 768,
      least: 3,
    });
    expect(part({ type: 'document', source: { type: 'url', url: 'https://a.example' } }).least).toBe(3);
  });

  test('documents, sound and encrypted thinking', () => {
    const data = 'A'.repeat(400_000);
    const cases: unknown[] = [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
      { type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } },
      { type: 'input_file', file_data: data },
    ];
    for (const block of cases) expect(part(block)).toEqual({ likely: 3 + 6 * 1_200, least: 3 });
    const sound = { type: 'input_audio', input_audio: { data, format: 'mp3' } };
    expect(part(sound)).toEqual({ likely: 3 + 188, least: 3 });
    expect(part({ type: 'redacted_thinking', data: 'x'.repeat(600) })).toEqual({ likely: 103, least: 3 });
  });
});
