import { describe, expect, test } from 'bun:test';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import { bodyOf, headsWith } from '../testing/heads-with.ts';
import { decodeContents } from './decode-contents.ts';
import { encodeResponse } from './encode-answer.ts';
import { GoogleStreamEncoder } from './google-stream-encoder.ts';

const head = headsWith('response-1')({
  thinking: { mode: 'enabled', effortIsRequired: false, visible: true },
});
const signed: ReplayToken = { issuer: 'messages', data: 'signed' };
const hidden: ReplayToken = { issuer: 'bedrock', data: 'hidden' };

const part = (index: number, head: PartHead, ...deltas: PartDelta[]): StreamEvent[] => [
  { type: 'part-start', index, part: head },
  ...deltas.map((delta): StreamEvent => ({ type: 'part-delta', index, delta })),
  { type: 'part-end', index },
];
const thought = (index: number, replay: ReplayToken) =>
  part(
    index,
    { kind: 'thinking', form: 'summary' },
    { kind: 'thinking', text: 'I look.' },
    { kind: 'replay-token', replay },
  );
const text = (index: number) =>
  part(index, { kind: 'text' }, { kind: 'text', text: 'Wait' }, { kind: 'text', text: '.' });
const call = (index: number) =>
  part(
    index,
    { kind: 'tool-call', callId: 'toolu_1', name: 'look', inputKind: 'json' },
    { kind: 'tool-input', text: '{}' },
  );
const stop: StreamEvent = { type: 'response-end', stop: { kind: 'tool-call' } };

type Part = Record<string, unknown>;
const partsOf = (chunk: string): Part[] => JSON.parse(chunk).candidates[0].content.parts;
const ways: Record<string, (events: StreamEvent[]) => Part[]> = {
  whole: (events) =>
    partsOf(stringifyWithRaw(encodeResponse(collect([...events, stop]) as CanonicalResponse, head))),
  streamed(events) {
    const encoder = new GoogleStreamEncoder(head);
    return [...events, stop].flatMap((event) => encoder.encode(event)).flatMap(({ data }) => partsOf(data));
  },
};

/** Returns the turn that a client sends back that drops empty texts and thoughts, with their signatures. */
function returned(parts: Part[]) {
  const kept = parts.filter(({ text }) => text !== '');
  return decodeContents(bodyOf({ contents: [{ role: 'model', parts: kept }] }))[0]!.parts;
}

const looked = { kind: 'thinking', form: 'summary', text: 'I look.' } as const;

describe.each(Object.entries(ways))('%s, a client that drops empty thoughts returns', (_way, partsFor) => {
  test('the signed thought before a call', () => {
    const parts = returned(partsFor([...thought(0, signed), ...call(1)]));
    expect(parts).toMatchObject([
      { ...looked, replay: signed },
      { kind: 'tool-call', callId: 'toolu_1' },
    ]);
    expect(parts[1]).not.toHaveProperty('replay');
  });

  test('the signed thought before a text', () => {
    const parts = returned(partsFor([...thought(0, signed), ...text(1), ...call(2)]));
    expect(parts.slice(0, 2)).toMatchObject([{ ...looked, replay: signed }, { kind: 'text' }]);
    expect(parts.at(-1)).not.toHaveProperty('replay');
  });

  test('a thought that its vendor hides', () => {
    const parts = returned(partsFor([...part(0, { kind: 'redacted-thinking', replay: hidden }), ...call(1)]));
    expect(parts).toMatchObject([{ kind: 'redacted-thinking', replay: hidden }, { kind: 'tool-call' }]);
  });

  test("Google's own signatures where Google put them", () => {
    const own: ReplayToken = { issuer: 'google', data: 'thought:own' };
    const parts = partsFor([...thought(0, own), ...call(1)]);
    expect(parts.find(({ thoughtSignature }) => thoughtSignature)).toMatchObject({ text: '', thought: true });
    expect(parts.find(({ functionCall }) => functionCall)).not.toHaveProperty('thoughtSignature');
  });
});

test.each(Object.entries(ways))('%s, each signature is sent once', (_way, partsFor) => {
  const parts = partsFor([...thought(0, signed), ...thought(1, hidden), ...call(2), ...thought(3, signed)]);
  expect(parts.map(({ thoughtSignature }) => thoughtSignature !== undefined).filter(Boolean)).toHaveLength(3);
  expect(decodeContents(bodyOf({ contents: [{ role: 'model', parts }] }))[0]!.parts).toMatchObject([
    { ...looked, replay: signed },
    { ...looked, replay: hidden },
    { kind: 'tool-call' },
    { ...looked, replay: signed },
  ]);
});
