import { expect, test } from 'bun:test';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import { decodeContents } from './decode-contents.ts';

const turnsOf = (contents: unknown) =>
  decodeContents(parseBodyAtOnce(JSON.stringify({ contents })) as JsonBody);

test('a turn of ten thousand calls is decoded in a moment', () => {
  const parts = Array.from({ length: 10_000 }, (_, index) => ({
    functionCall: { name: 'find', args: { index } },
  }));
  const start = performance.now();
  const [turn] = turnsOf([{ role: 'model', parts }]);
  expect(turn?.parts[9_999]).toMatchObject({ callId: 'call_10000', input: { text: '{"index":9999}' } });
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('media that a client sent without padding is padded', () => {
  const [turn] = turnsOf([
    { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw_-' } }] },
    { parts: [] },
  ]);
  expect(turn?.parts).toEqual([
    { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw/+' } },
  ]);
  const [unpadded] = turnsOf([{ parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw' } }] }]);
  expect(unpadded?.parts).toMatchObject([{ source: { data: 'iVBORw==' } }]);
});

test('the value for unsigned calls is no signature, in base64 too', () => {
  const placeholder = 'skip_thought_signature_validator';
  const parts = [placeholder, Buffer.from(placeholder).toString('base64')].map((thoughtSignature) => ({
    functionCall: { name: 'find', args: {} },
    thoughtSignature,
  }));
  const [turn] = turnsOf([{ role: 'model', parts }]);
  expect(turn?.parts).toHaveLength(2);
  for (const part of turn?.parts ?? []) expect(part).not.toHaveProperty('replay');
});

test('a single text under one of the names that clients use is the text of a result', () => {
  const textOf = (response: object) => {
    const [turn] = turnsOf([{ parts: [{ functionResponse: { name: 'find', response } }] }]);
    return (turn?.parts[0] as { content: { text: string }[] }).content[0]?.text;
  };
  for (const name of ['output', 'result', 'error', 'response'])
    expect(textOf({ [name]: 'found' })).toBe('found');
  expect(textOf({ place: 'here' })).toBe('{"place":"here"}');
  expect(textOf({ output: 'found', place: 'here' })).toBe('{"output":"found","place":"here"}');
});
