import { expect, test } from 'bun:test';
import { answerCount } from './answer-count.ts';

test.each([
  [{}, 1],
  [{ prompts: 3 }, 3],
  [{ prompts: 3, answers: 6 }, 6],
  [{ answers: 2, written: 5 }, 5],
] as const)('a request with %j counts as %d', (request, count) => {
  expect(answerCount(request)).toBe(count);
});
