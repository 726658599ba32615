import { expect, test } from 'bun:test';
import { estimateUsage, saidLengthIn } from './estimate-usage.ts';

const reported = { input: { uncached: 7 }, output: { visible: 3 } };
const produced = { reported, saidLength: 400, isWhole: true, estimateInput: () => 50 };

test('what the upstream reports of a whole answer counts as it is', () =>
  expect(estimateUsage(produced)).toEqual(reported));

test('what it does not report is estimated, and marked', () =>
  expect(estimateUsage({ ...produced, reported: undefined })).toEqual({
    input: { uncached: 50 },
    output: { visible: 100 },
    isEstimated: true,
  }));

test('of an answer that was left, no less counts than was sent', () => {
  expect(estimateUsage({ ...produced, isWhole: false })).toEqual({
    input: { uncached: 7 },
    output: { visible: 100 },
    isEstimated: true,
  });
  expect(estimateUsage({ ...produced, saidLength: 4, isWhole: false })).toEqual(reported);
});

test('the text of an answer is what its model wrote, in every dialect', () => {
  const call = { function: { name: 'weather', arguments: '{"a":1}' } };
  expect(
    saidLengthIn({
      id: 'x',
      choices: [{ message: { role: 'assistant', content: 'four', tool_calls: [call] } }],
    }),
  ).toBe(11);
  expect(saidLengthIn({ type: 'message', content: [{ type: 'text', text: 'four' }] })).toBe(4);
  expect(
    saidLengthIn({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'four' }] }] }),
  ).toBe(4);
});
