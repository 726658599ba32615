import { afterAll, expect, setSystemTime, spyOn, test } from 'bun:test';
import { ChunkReader } from './chunk-reader.ts';

// Chunks without a time get the present.
setSystemTime(new Date('2026-01-01T00:00:00Z'));
afterAll(() => {
  setSystemTime();
});

const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const label = { id: 'ours', model: 'asked-for', estimate };
const readerOf = (shown: { showsUsage: boolean }) => new ChunkReader({ label, ...shown, choices: 2 });

const texts = [
  'a',
  ' word',
  '',
  'a',
  '"',
  '\\',
  '\n',
  '\u0000',
  'é𝄞',
  '"content":"a"',
  '","x":"',
  '},"id":"up"}',
  'a',
];

/** Chunks of hosts: the text at the place of TEXT, and a number that grows at the place of COUNT. */
const shapes = [
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":TEXT},"logprobs":null,"finish_reason":null}],"usage":null}',
  '{"id": "up", "model": "up", "choices": [{"index": 0, "delta": {"content": TEXT}, "finish_reason": null}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":TEXT}}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":TEXT}}],"obfuscation":"COUNT"}',
  '{"id":"up","model":"up","choices":[{"index":COUNT,"delta":{"content":TEXT}}],"system_fingerprint":"fp_12"}',
  '{"content":"a","id":"up","model":"up","choices":[{"index":0,"delta":{"content":TEXT}}]}',
  '{"content":"a","id":"up","model":"up","choices":[{"index":0,"delta":{"con\\u0074ent":TEXT}}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":"a","content":TEXT}}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":"a"},"delta":{"content":TEXT}}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":TEXT},"finish_reason":"stop"}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"text":TEXT}]}',
  '{"id":"up","model":"up","choices":[{"index":0,"delta":{"content":TEXT}}],"usage":{"prompt_tokens":COUNT,"completion_tokens":1}}',
  '{"id":"up",\n"model":"up",\n"choices":[{"index":0,"delta":{"content":TEXT}}]}',
];

const chunksOf = (shape: string): string[] =>
  texts.map((text, count) =>
    shape.replace('TEXT', () => JSON.stringify(text)).replace('COUNT', String(count)),
  );

test('reads every chunk of a stream as if it were the only one', () => {
  for (const showsUsage of [true, false]) {
    // The chunks have one shape after the other, and two shapes in turns.
    const streams = [
      ...shapes.map(chunksOf),
      ...shapes.map((shape, at) => mixed(shape, shapes[(at + 1) % shapes.length]!)),
    ];
    for (const chunks of streams) {
      const reader = readerOf({ showsUsage });
      let saidLength = 0;
      for (const data of chunks) {
        const alone = readerOf({ showsUsage });
        const { text, usage } = alone.read({ data });
        saidLength += alone.answerText.length;
        const inStream = reader.read({ data });
        expect({ data, text: inStream.text, output: inStream.usage?.output }).toEqual({
          data,
          text,
          output: usage?.output,
        });
        expect({ data, length: reader.answerText.length }).toEqual({ data, length: saidLength });
      }
    }
  }
});

const mixed = (one: string, other: string): string[] => {
  const others = chunksOf(other);
  return chunksOf(one).flatMap((chunk, at) => [chunk, others[at]!]);
};

test('parses only the chunks of a stream that differ in more than their text', () => {
  const reader = readerOf({ showsUsage: true });
  const chunks = Array.from({ length: 100 }, (_, count) => shapes[0]!.replace('TEXT', `"word ${count}"`));
  const parse = spyOn(JSON, 'parse');
  try {
    for (const data of chunks) reader.read({ data });
    expect(parse.mock.calls.length).toBeLessThan(5);
  } finally {
    parse.mockRestore();
  }
});

test('refuses a chunk whose text is not valid JSON', () => {
  const reader = readerOf({ showsUsage: true });
  const [chunk] = chunksOf(shapes[0]!);
  reader.read({ data: chunk! });
  for (const text of ['"b\n"', '"b\\"', '"b\\x"', '"b"c"'])
    expect(() => reader.read({ data: shapes[0]!.replace('TEXT', () => text) })).toThrow(SyntaxError);
});
