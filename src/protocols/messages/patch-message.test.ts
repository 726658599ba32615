import { expect, test } from 'bun:test';
import type { Usage } from '../../canonical/usage.ts';
import { patchMessage } from './patch-message.ts';

const label = { id: 'msg_1', model: 'm', estimate: { input: () => 7, text: () => 1 } };
const usage: Usage = { input: { uncached: 7 }, output: { visible: 3 } };
const completed = {
  input_tokens: 7,
  output_tokens: 3,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const usageIn = (text: string) =>
  JSON.parse(patchMessage({ text, value: JSON.parse(text) }, label, { usage })).usage;

test('whatever a host sends for its usage, the message is JSON with every count [MSG-10] [MSG-35]', () => {
  expect(usageIn('{"id":"x"}')).toEqual(completed);
  for (const told of ['null', '0', '-1', '"x"', '""', '[]', '[null]', 'true', '1.5', '{}'])
    expect([told, usageIn(`{"usage":${told}}`)]).toEqual([told, completed]);
});

test('what is no count is replaced, what is one stays as it came', () => {
  for (const told of ['"x"', '-1', '1.5', '[]', 'null'])
    expect(usageIn(`{"usage":{"input_tokens":${told},"output_tokens":9,"own":1}}`)).toEqual({
      ...completed,
      output_tokens: 9,
      own: 1,
    });
});
