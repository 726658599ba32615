import { expect, test } from 'bun:test';
import { collect } from './collect.ts';
import { endAtStops } from './end-at-stops.ts';
import type { CanonicalResponse, Stop, StreamEvent } from './event.ts';

const usage = { input: { uncached: 1 }, output: { visible: 2 } };

const answer = (pieces: readonly string[], stop: Stop = { kind: 'end-turn' }): StreamEvent[] => [
  { type: 'response-start', responseId: 'r', model: 'm' },
  { type: 'part-start', index: 0, part: { kind: 'thinking', form: 'full' } },
  { type: 'part-delta', index: 0, delta: { kind: 'thinking', text: 'the END is near' } },
  { type: 'part-end', index: 0 },
  { type: 'part-start', index: 1, part: { kind: 'text' } },
  ...pieces.map((text): StreamEvent => ({ type: 'part-delta', index: 1, delta: { kind: 'text', text } })),
  { type: 'part-end', index: 1 },
  {
    type: 'part-start',
    index: 2,
    part: { kind: 'tool-call', callId: 'c', name: 'f', inputKind: 'json' },
  },
  { type: 'part-delta', index: 2, delta: { kind: 'tool-input', text: '{}' } },
  { type: 'part-end', index: 2 },
  { type: 'usage', usage },
  { type: 'response-end', stop },
];

const passed = (events: StreamEvent[], stops: readonly string[] | undefined, ambiguousStop?: string) =>
  collect(events.flatMap(endAtStops(stops, ambiguousStop))) as CanonicalResponse;

const cases: { text: string; stops: string[]; shown: string; sequence?: string }[] = [
  { text: 'one two three', stops: ['two'], shown: 'one ', sequence: 'two' },
  { text: 'one two three', stops: ['three', 'two'], shown: 'one ', sequence: 'two' },
  { text: 'one two three', stops: ['two', 'tw'], shown: 'one ', sequence: 'tw' },
  { text: 'one two three', stops: ['o', 'two'], shown: '', sequence: 'o' },
  { text: 'one two three', stops: ['wo', 'two'], shown: 'one ', sequence: 'two' },
  { text: 'abcd', stops: ['abcd', 'c'], shown: 'ab', sequence: 'c' },
  { text: 'aaab', stops: ['aab'], shown: 'a', sequence: 'aab' },
  { text: 'one\n\ntwo', stops: ['\n\n'], shown: 'one', sequence: '\n\n' },
  { text: 'x🙂y', stops: ['🙂'], shown: 'x', sequence: '🙂' },
  { text: 'one two thr', stops: ['three', ''], shown: 'one two thr' },
];

const halves = (text: string) =>
  Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);

for (const { text, stops, shown, sequence } of cases) {
  test(`ends ${JSON.stringify(text)} at ${JSON.stringify(stops)}, however it is split into pieces`, () => {
    for (const pieces of [[...text], ...halves(text)]) {
      const { parts, stop, usage: reported } = passed(answer(pieces), stops);
      expect(parts[1]).toEqual({ kind: 'text', text: shown });
      expect(parts.length).toBe(sequence === undefined ? 3 : 2);
      expect(stop).toEqual(
        sequence === undefined ? { kind: 'end-turn' } : { kind: 'stop-sequence', sequence },
      );
      expect(reported).toEqual(usage);
    }
  });
}

test('releases text at once, except a possible beginning of a stop', () => {
  const pass = endAtStops(['END']);
  const deltas = answer(['one E', 'N', 'X E', 'N']).map((event) =>
    pass(event).filter(({ type }) => type === 'part-delta'),
  );
  const texts = deltas
    .flat()
    .flatMap((event) => ('delta' in event && event.delta.kind === 'text' ? [event.delta.text] : []));
  expect(texts).toEqual(['one ', 'ENX ', 'EN']);
});

test('ignores an upstream failure after the stop', () => {
  const events = answer(['one END']).slice(0, -1);
  const failed = [...events, { type: 'response-error', refusal: new Error() as never } as const];
  expect(passed(failed, ['END']).stop).toEqual({ kind: 'stop-sequence', sequence: 'END' });
});

test('names the stop that the upstream does not name, if there is only one', () => {
  const stopped = answer(['one'], { kind: 'stop-sequence', raw: 'stop_sequence' });
  expect(passed(stopped, ['END']).stop.sequence).toBe('END');
  expect(passed(stopped, ['END', 'FIN']).stop).toEqual({ kind: 'stop-sequence', raw: 'stop_sequence' });
});

test('treats an ambiguous reason as a stop if the request set stops', () => {
  const ended = answer(['one'], { kind: 'end-turn', raw: 'stop' });
  expect(passed(ended, ['END', 'FIN'], 'stop').stop.kind).toBe('stop-sequence');
  expect(passed(ended, ['END'], 'STOP').stop.kind).toBe('end-turn');
  expect(passed(ended, undefined, 'stop').stop.kind).toBe('end-turn');
});

/** Returns what a search of the whole text finds: the stop that is complete first, the longer of two. */
function searched(text: string, stops: readonly string[]) {
  const found = stops
    .map((stop) => ({ stop, end: text.indexOf(stop) + stop.length }))
    .filter(({ stop }) => text.includes(stop))
    .sort((one, other) => one.end - other.end || other.stop.length - one.stop.length)[0];
  return found
    ? { text: text.slice(0, found.end - found.stop.length), sequence: found.stop }
    : { text, sequence: undefined };
}

test('finds in pieces what a search of the whole text finds', () => {
  const letters = (value: number, length: number) => value.toString(2).padStart(length, '0').slice(-length);
  for (let seed = 0; seed < 3_000; seed++) {
    const hash = Bun.hash.crc32(String(seed));
    const text = letters(hash, 14);
    const stops = [letters(hash >>> 14, 3 + (seed % 4)), letters(hash >>> 20, 2 + (seed % 5))];
    const pieces = [text.slice(0, 3), text.slice(3, 8), text.slice(8, 9), text.slice(9)];
    const { parts, stop } = passed(answer(pieces), stops);
    const shown = { text: parts[1]?.kind === 'text' && parts[1].text, sequence: stop.sequence };
    expect({ ...shown, stops }).toEqual({ ...searched(text, stops), stops });
  }
});

test('reads a text once, however long the stop is that it nearly completes', () => {
  const length = 400_000;
  const text = 'a'.repeat(length);
  const { parts } = passed(answer([text, 'b', text]), [`${'a'.repeat(2 * length)}c`]);
  expect(parts[1]).toEqual({ kind: 'text', text: `${text}b${text}` });
});

test('shows no text of a part other than the one with the stop', () => {
  const said = (index: number, text: string): StreamEvent => ({
    type: 'part-delta',
    index,
    delta: { kind: 'text', text },
  });
  const events: StreamEvent[] = [
    { type: 'part-start', index: 0, part: { kind: 'text' } },
    { type: 'part-start', index: 1, part: { kind: 'text' } },
    said(1, 'before E'),
    said(0, 'one END'),
    said(1, 'after'),
    { type: 'part-end', index: 0 },
    { type: 'part-end', index: 1 },
    { type: 'response-end', stop: { kind: 'end-turn' } },
  ];
  const { parts } = passed(events, ['END']);
  expect(parts).toEqual([
    { kind: 'text', text: 'one ' },
    { kind: 'text', text: 'before ' },
  ]);
});
