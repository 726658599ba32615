import { describe, expect, test } from 'bun:test';
import type { Usage } from '../../canonical/usage.ts';
import { MessagesFrameReader } from './messages-frame-reader.ts';
import { patchClosing, patchMessage } from './patch-message.ts';

const label = { id: 'msg_1', model: 'm', estimate: { input: () => 7, text: () => 1 } };
const usage: Usage = { input: { uncached: 7 }, output: { visible: 3 } };
const completed = {
  input_tokens: 7,
  output_tokens: 3,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const usageIn = (text: string, billed = usage) =>
  JSON.parse(patchMessage({ text, value: JSON.parse(text) }, label, { usage: billed })).usage;

test('returns JSON with every count for any usage of the host [MSG-10] [MSG-35]', () => {
  expect(usageIn('{"id":"x"}')).toEqual(completed);
  for (const reported of ['null', '0', '-1', '"x"', '""', '[]', '[null]', 'true', '1.5', '{}'])
    expect({ reported, result: usageIn(`{"usage":${reported}}`) }).toEqual({ reported, result: completed });
});

test('replaces invalid counts and counts that differ from the billed ones', () => {
  for (const reported of ['"x"', '-1', '1.5', '[]', 'null', '9'])
    expect(usageIn(`{"usage":{"input_tokens":${reported},"output_tokens":3,"own":1}}`)).toEqual({
      ...completed,
      own: 1,
    });
});

describe('the closing event of a message', () => {
  const counted: Usage = { input: { uncached: 10, cacheRead: 600 }, output: { visible: 50 } };
  const shown = { input_tokens: 10, cache_read_input_tokens: 600, output_tokens: 50 };
  const closing = (reported: object) => JSON.stringify({ type: 'message_delta', usage: reported });

  test.each([
    { output_tokens: 50 },
    shown,
    // The vendor's own usage after a compaction: it counts only the message, and the rest in a separate
    // member.
    { ...shown, input_tokens: 4 },
  ])('is unchanged if it lowers no earlier count: %j', (reported) => {
    expect(patchClosing(closing(reported), counted, label)).toBe(closing(reported));
  });

  test.each([
    { output_tokens: 0 },
    { output_tokens: 3 },
    { ...shown, input_tokens: 0 },
    { ...shown, cache_read_input_tokens: 0 },
  ])('shows the billed usage if it would lower an earlier count: %j', (reported) => {
    const patched = JSON.parse(patchClosing(closing(reported), counted, label));
    expect(patched).toMatchObject({ type: 'message_delta', usage: shown });
  });
});

describe('other models that the vendor names', () => {
  const names: Record<string, string> = { 'vendor-small': 'small', 'vendor-big': 'm' };
  const named = { ...label, nameModel: (name: string) => names[name] };
  const block = (from: string, to: string) => ({
    type: 'fallback',
    from: { model: from },
    to: { model: to },
    trigger: { type: 'refusal' },
  });
  const iterations = (...models: string[]) =>
    models.map((model) => ({ type: 'message', model, output_tokens: 1 }));
  const counts = { ...completed, cache_read_input_tokens: 0 };

  test('have public names in a whole message', () => {
    const value = {
      content: [block('vendor-big', 'vendor-small'), { type: 'text', text: 'Hi.' }],
      usage: { ...counts, iterations: iterations('vendor-small', 'unlisted') },
    };
    const text = JSON.stringify(value);
    const hidden = { content: JSON.stringify(value.content) };
    for (const shown of [{}, { usage }, hidden])
      expect(JSON.parse(patchMessage({ text, value }, named, shown))).toMatchObject({
        content: [block('m', 'small'), { type: 'text', text: 'Hi.' }],
        usage: { ...counts, iterations: iterations('small', 'unlisted') },
      });
  });

  test('have public names in a stream', () => {
    const reader = new MessagesFrameReader({ decode: () => [], label: named, showsThinking: true });
    const send = (event: { type: string }) =>
      reader.read({ event: event.type, data: JSON.stringify(event) }).text;
    const start = {
      type: 'message_start',
      message: { id: 'x', model: 'vendor-big', content: [], usage: counts },
    };
    const sent = [
      start,
      { type: 'content_block_start', index: 0, content_block: block('vendor-big', 'vendor-small') },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: {}, usage: { ...counts, iterations: iterations('vendor-small') } },
    ].map(send);
    expect(sent.join('')).not.toContain('vendor');
    expect(sent.join('')).toContain('"to":{"model":"small"}');
    expect(sent.join('')).toContain('"model":"small","output_tokens":1');
  });
});
