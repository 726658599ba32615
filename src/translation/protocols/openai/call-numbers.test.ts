import { expect, test } from 'bun:test';
import { CallNumbers } from './call-numbers.ts';

/** Returns the indexes of the pieces of each chunk, or undefined for a chunk that can stay. */
function indexesOf(chunks: readonly object[][]): unknown[] {
  const numbers = new CallNumbers();
  return chunks.map((tool_calls) =>
    numbers
      .number([{ index: 0, delta: { tool_calls } }])
      ?.flatMap(({ delta }) => (delta?.tool_calls as { index: number }[]).map(({ index }) => index)),
  );
}

const begin = (id: string, index?: number) => ({
  id,
  ...(index !== undefined && { index }),
  function: { name: 'f' },
});
const more = (index?: number) => ({ ...(index !== undefined && { index }), function: { arguments: '{' } });

test('gives each call an index if the host sends none', () => {
  expect(indexesOf([[begin('a'), begin('b')], [more()], [begin('c')]])).toEqual([[0, 1], [1], [2]]);
});

test('gives calls with the same index at the host an index each', () => {
  expect(indexesOf([[begin('a', 0)], [more(0)], [begin('b', 0)], [more(0)]])).toEqual([
    undefined,
    undefined,
    [1],
    [1],
  ]);
});

test('leaves the indexes of other hosts alone, even if the first is not 0', () => {
  expect(indexesOf([[begin('a', 1)], [begin('b', 2)], [more(1)], [more(2)]])).toEqual(
    Array(4).fill(undefined),
  );
});

test('numbers the calls of each choice', () => {
  const numbers = new CallNumbers();
  const choice = (index: number) => ({ index, delta: { tool_calls: [begin(`call_${index}`)] } });
  expect(numbers.number([choice(0), choice(1)])).toEqual([
    { index: 0, delta: { tool_calls: [{ ...begin('call_0'), index: 0 }] } },
    { index: 1, delta: { tool_calls: [{ ...begin('call_1'), index: 0 }] } },
  ]);
});

test('fails at an answer with more calls than any model makes', () => {
  const calls = Array.from({ length: 2_000 }, (_, index) => begin(`call_${index}`, index));
  expect(indexesOf([calls])).toEqual([undefined]);
  expect(() => indexesOf([[...calls, begin('one more', 2_000)]])).toThrow('too many calls');
});
