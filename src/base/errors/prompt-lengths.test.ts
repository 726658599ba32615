import { expect, test } from 'bun:test';
import { promptLengthsIn } from './prompt-lengths.ts';

test.each([
  ['prompt is too long: 205000 tokens > 200000 maximum', 205_000, 200_000],
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length.",
    9_000,
    8_192,
  ],
  ["This model's maximum context length is 4,096 tokens, however you requested 4,200 tokens", 4_200, 4_096],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    1_200_000,
    1_048_576,
  ],
])('finds the lengths that a vendor names: %s', (text, tokens, maximum) => {
  expect(promptLengthsIn(text)).toEqual({ tokens, maximum });
});

test.each([
  'Input is too long for requested model.',
  'prompt is too long: 5 tokens > 9 maximum',
  '',
])('finds none where the vendor names none, or where they fit: %s', (text) =>
  expect(promptLengthsIn(text)).toBeUndefined());
