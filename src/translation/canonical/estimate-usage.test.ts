import { expect, test } from 'bun:test';
import { answerTextIn } from './answer-text-in.ts';
import { CountedText } from './counted-text.ts';
import { estimateUsage } from './estimate-usage.ts';

const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const textOfLength = (length: number): CountedText => {
  const text = new CountedText(estimate);
  text.add('x'.repeat(length));
  return text;
};
const reported = { input: { uncached: 7 }, output: { visible: 3 } };
const produced = { reported, answerText: textOfLength(400), isWhole: true, estimate };

test("uses the upstream's report of a whole answer as it is", () =>
  expect(estimateUsage(produced)).toEqual(reported));

test('estimates and marks the counts that the upstream does not report', () =>
  expect(estimateUsage({ ...produced, reported: undefined })).toEqual({
    input: { uncached: 50 },
    output: { visible: 100 },
    isEstimated: true,
  }));

test('estimates nothing if a compaction is the whole answer', () => {
  const usage = { input: { uncached: 0 }, output: { visible: 0 } };
  const pass = { isIncluded: false, input: 70, cachedInput: 0, output: 20 };
  const detail = { separate: [{ kind: 'compaction' as const, ...pass }] };
  expect(estimateUsage({ ...produced, reported: { ...usage, detail } })).toEqual({ ...usage, detail });
  const advised = { separate: [{ kind: 'advisor' as const, ...pass }] };
  expect(estimateUsage({ ...produced, reported: { ...usage, detail: advised } })).toMatchObject({
    input: { uncached: 50 },
    output: { visible: 100 },
    detail: advised,
  });
});

test('counts at least the sent text of an abandoned answer', () => {
  expect(estimateUsage({ ...produced, isWhole: false })).toEqual({
    input: { uncached: 7 },
    output: { visible: 100 },
    isEstimated: true,
  });
  expect(estimateUsage({ ...produced, answerText: textOfLength(4), isWhole: false })).toEqual(reported);
});

test('extracts the text that the model wrote, in every dialect', () => {
  const lengthIn = (answer: unknown): number => answerTextIn(answer, new CountedText(estimate)).length;
  const call = { function: { name: 'weather', arguments: '{"a":1}' } };
  expect(
    lengthIn({ id: 'x', choices: [{ message: { role: 'assistant', content: 'four', tool_calls: [call] } }] }),
  ).toBe(11);
  expect(lengthIn({ type: 'message', content: [{ type: 'text', text: 'four' }] })).toBe(4);
  expect(lengthIn({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'four' }] }] })).toBe(
    4,
  );
});
