import { expect, test } from 'bun:test';
import { CountTask } from './count-task.ts';
import { slicesOf } from './slice-text.ts';
import { countBySlices } from './vocabulary.ts';
import { workTurn } from './work-turn.ts';

/** Returns a number that changes with every character of a slice, and so with every cut. */
const weigh = (slice: string): number => Bun.hash.crc32(slice) % 10_007;

/** Returns a clock that advances by a millisecond at each read, so that a turn ends after a few slices. */
function slowClock(): () => number {
  let ms = 0;
  return () => ms++;
}

function work(task: CountTask, now: () => number): number {
  let turns = 0;
  for (; !task.isOver; turns++) task.take(workTurn(task.turn(), { countSlice: weigh, now }));
  return turns;
}

const texts = {
  prose: 'The quick brown fox, it is said, jumps over the lazy dog. '.repeat(6_000),
  Cyrillic: 'Съешь же ещё этих мягких французских булок да выпей чаю '.repeat(6_000),
  'one word': 'a'.repeat(200_000),
  emoji: '🦊'.repeat(100_000),
  'odd emoji': `x${'🦊'.repeat(100_000)}`,
};

test.each(Object.entries(texts))('%s is counted as in one run, wherever a turn ends', (_, text) => {
  const parts = ['before', '', text, { kind: 'tokens', tokens: 7 } as const, text, 'after'];
  const counts = parts.map((part) => (typeof part === 'string' ? countBySlices(weigh)(part) : 7));
  const model = { upstreamModel: 'gpt-4o', isSimulated: false };
  for (const now of [slowClock(), () => 0]) {
    const task = new CountTask(parts, { vocabulary: 'o200k', model });
    expect(work(task, now)).toBeGreaterThan(3);
    expect(task.tokens).toEqual(counts);
    expect(task.finished).toBe(parts.length);
  }
});

test('a bound adds one token for each cut inside a word', () => {
  const text = texts['one word'];
  const cuts = [...slicesOf(text)].filter(({ isSure }) => !isSure).length;
  const task = new CountTask([text], { vocabulary: 'o200k', perCut: 1 });
  work(task, slowClock());
  expect(cuts).toBeGreaterThan(100);
  expect(task.tokens).toEqual([countBySlices(weigh)(text) + cuts]);
});

test('a bound that ends at its maximum or its time reports the rest', () => {
  const text = texts.Cyrillic;
  for (const terms of [{ limit: 50_000 }, { budgetMs: 40 }]) {
    const task = new CountTask([text, 'never reached'], { vocabulary: 'o200k', perCut: 1, ...terms });
    work(task, slowClock());
    expect(task.finished).toBe(0);
    expect(task.tokens).toHaveLength(1);
    expect(task.uncounted.length).toBeWithin(1, text.length);
    expect(text.endsWith(task.uncounted)).toBe(true);
  }
});

test('many short texts share a turn', () => {
  const task = new CountTask(new Array(1_000).fill('word'), { vocabulary: 'o200k' });
  expect(work(task, () => 0)).toBe(1);
});
