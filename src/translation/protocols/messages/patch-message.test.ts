import { describe, expect, test } from 'bun:test';
import type { Usage } from '../../canonical/usage.ts';
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

test('whatever a host sends for its usage, the message is JSON with every count [MSG-10] [MSG-35]', () => {
  expect(usageIn('{"id":"x"}')).toEqual(completed);
  for (const told of ['null', '0', '-1', '"x"', '""', '[]', '[null]', 'true', '1.5', '{}'])
    expect([told, usageIn(`{"usage":${told}}`)]).toEqual([told, completed]);
});

test('what is no count is replaced, and so is one that is not billed', () => {
  for (const told of ['"x"', '-1', '1.5', '[]', 'null', '9'])
    expect(usageIn(`{"usage":{"input_tokens":${told},"output_tokens":3,"own":1}}`)).toEqual({
      ...completed,
      own: 1,
    });
});

describe('the event that closes a message', () => {
  const counted: Usage = { input: { uncached: 10, cacheRead: 600 }, output: { visible: 50 } };
  const shown = { input_tokens: 10, cache_read_input_tokens: 600, output_tokens: 50 };
  const closing = (told: object) => JSON.stringify({ type: 'message_delta', usage: told });

  test.each([
    { output_tokens: 50 },
    shown,
    // The vendor's own, of a compaction: it counts the message alone, and the rest in a member of its own.
    { ...shown, input_tokens: 4 },
  ])('stays as it came where it takes back nothing: %j', (told) => {
    expect(patchClosing(closing(told), counted)).toBe(closing(told));
  });

  test.each([
    { output_tokens: 0 },
    { output_tokens: 3 },
    { ...shown, input_tokens: 0 },
    { ...shown, cache_read_input_tokens: 0 },
  ])('says what is billed where it would take some of it back: %j', (told) => {
    const patched = JSON.parse(patchClosing(closing(told), counted));
    expect(patched).toMatchObject({ type: 'message_delta', usage: shown });
  });
});
