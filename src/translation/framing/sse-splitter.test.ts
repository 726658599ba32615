import { expect, test } from 'bun:test';
import { type SseFrame, SseSplitter } from './sse-splitter.ts';

const encoder = new TextEncoder();
const split = (bytes: Uint8Array, cuts: number[]): SseFrame[] => {
  const splitter = new SseSplitter();
  const edges = [0, ...cuts, bytes.length];
  const frames = edges.slice(1).flatMap((edge, index) => splitter.push(bytes.subarray(edges[index], edge)));
  return [...frames, ...splitter.end()];
};

const lines = [
  ': hello',
  'event: first',
  'data: {"text":"grüße 👋"}',
  '',
  'data:second',
  'data: line',
  'id: 7',
  '',
  ':',
  'data',
  '',
  'data: last',
];
const expected = [
  { event: 'first', data: '{"text":"grüße 👋"}' },
  { event: undefined, data: 'second\nline' },
  { event: undefined, data: '' },
  { event: undefined, data: 'last' },
];

for (const [name, lineBreak] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`returns the same events wherever a stream with ${name} is cut`, () => {
    const bytes = encoder.encode(lines.join(lineBreak));
    for (let cut = 0; cut <= bytes.length; cut++) expect(split(bytes, [cut])).toEqual(expected);
    expect(
      split(
        bytes,
        Array.from({ length: bytes.length - 1 }, (_, index) => index + 1),
      ),
    ).toEqual(expected);
  });
}

test('rejects invalid UTF-8 instead of replacing it', () => {
  expect(() => split(new Uint8Array([100, 97, 116, 97, 58, 0xff, 10, 10]), [])).toThrow();
});

test('refuses an event that never ends, whether in one line or in many whole ones', () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  for (const chunk of [megabyte, `data: ${megabyte}\n`]) {
    const splitter = new SseSplitter();
    const bytes = encoder.encode(chunk);
    const push = (times: number) => Array.from({ length: times }, () => splitter.push(bytes));
    expect(push(30).flat()).toEqual([]);
    expect(() => push(3)).toThrow('a stream event is too long');
  }
});

test('parses a long event in small chunks in linear time', () => {
  const bytes = encoder.encode(`data: ${'x'.repeat(2_000_000)}\n\n`);
  const splitter = new SseSplitter();
  let frames = 0;
  for (let at = 0; at < bytes.length; at += 1_000)
    frames += splitter.push(bytes.subarray(at, at + 1_000)).length;
  expect(frames).toBe(1);
});
