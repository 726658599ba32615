import { expect, test } from 'bun:test';
import { mostUsage } from './most-usage.ts';

const bounds = { window: 200_000, own: 8_000, thinksOutsideCeiling: false };
const none = { bounds, prompt: 1_000, ceiling: 100, calls: [] };

test('an answer without hosted tools reads its prompt once and writes up to its ceiling [CRD-49]', () => {
  expect(mostUsage(none)).toMatchObject({ input: 1_000, output: 100, visible: 100, written: 0 });
});

test('thinking outside the ceiling is bounded by the model [CRD-49]', () => {
  const thinking = { ...none, bounds: { ...bounds, thinksOutsideCeiling: true } };
  expect(mostUsage(thinking)).toMatchObject({ output: 8_000, visible: 100 });
  expect(mostUsage({ ...thinking, ceiling: 9_000 })).toMatchObject({ output: 9_000, visible: 9_000 });
});

test('each turn reads the prompt, the output and all earlier results of hosted tools again [CRD-49]', () => {
  const calls = [
    { count: 2, tokens: 10, written: 5 },
    { count: 1, tokens: 300, written: 0 },
  ];
  const turns = [1_000, 1_400, 1_410, 1_420];
  expect(mostUsage({ ...none, calls })).toMatchObject({
    input: turns.reduce((sum, tokens) => sum + tokens),
    context: 1_420,
    written: 10,
  });
});

test('no turn reads more than the window, or than a prompt that may be longer [CRD-49]', () => {
  const one = [{ count: 1, tokens: 9_000_000, written: 0 }];
  expect(mostUsage({ ...none, calls: one })).toMatchObject({ input: 1_000 + 200_000, context: 200_000 });
  const many = [{ count: 500, tokens: 90_000, written: 0 }];
  const turns = [1_000, 91_100, 181_100];
  expect(mostUsage({ ...none, calls: many })).toMatchObject({
    input: turns.reduce((sum, tokens) => sum + tokens) + 498 * 200_000,
    context: 200_000,
  });
  const long = mostUsage({ ...none, prompt: 300_000, calls: [{ count: 2, tokens: 0, written: 0 }] });
  expect(long).toMatchObject({ input: 900_000, context: 300_000 });
});

test('a compaction reads each turn and writes up to the bound of the model [CRD-49]', () => {
  expect(mostUsage(none).compacted).toEqual({ input: 1_000, output: 8_000 });
  const calls = [{ count: 2, tokens: 10, written: 0 }];
  expect(mostUsage({ ...none, calls }).compacted).toEqual({
    input: 1_000 + 1_110 + 1_120,
    output: 24_000,
  });
});
