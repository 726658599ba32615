import { expect, test } from 'bun:test';
import { partial } from '../../../base/lib/testing/partial.ts';
import { outputTotal } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { ChunkUsage } from './chunk-usage.ts';

test('the usage of a stream sums what its choices report, the latest of each', () => {
  const usage = new ChunkUsage(partial<AnswerLabel>({ estimate: partial({}) }));
  const read = (index: number, completion: number) =>
    usage.read({ choices: [{ index, usage: { prompt_tokens: 10, completion_tokens: completion } }] });
  const totals = [read(0, 5), read(0, 20), read(1, 30)].map((read) => read && outputTotal(read));
  expect(totals).toEqual([5, 20, 50]);
  expect(usage.read({ choices: [{ index: 0 }] })).toBeUndefined();
});
