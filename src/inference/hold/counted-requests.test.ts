import { expect, test } from 'bun:test';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { countedRequests } from './counted-requests.ts';

test.each([
  [{}, 1],
  [{ prompts: 3 }, 3],
  [{ prompts: 3, answers: 6 }, 6],
  [{ answers: 2, written: 5 }, 5],
] as const)('a request with %j counts as %d', (request, count) => {
  expect(countedRequests(request as InferenceRequest)).toBe(count);
});
