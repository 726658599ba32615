import { expect, test } from 'bun:test';
import { RefusalRecorder } from './refusal-recorder.ts';
import type { RefusalSum } from './refusal-sum.ts';

function recorder(save: (sums: readonly RefusalSum[]) => Promise<void>) {
  return new RefusalRecorder({ store: { saveRefusals: save }, now: () => 7_200_000, onFailure: () => {} });
}

test('only refusals are summed by account and cause', async () => {
  const saved: RefusalSum[] = [];
  const refusals = recorder(async (sums) => void saved.push(...structuredClone(sums)));
  const facts = { bound: 'key-cap-reached' };
  refusals.add({ errorCode: 'key_budget_exhausted', accountId: 'a', refusalFacts: facts });
  refusals.add({ errorCode: 'key_budget_exhausted', accountId: 'a', refusalFacts: facts });
  refusals.add({ errorCode: 'invalid_api_key' });
  refusals.add({ errorCode: 'upstream_unavailable', accountId: 'a' });
  refusals.add({ accountId: 'a' });
  await refusals.flush();
  expect(saved.map(({ accountId, cause, count, hour }) => [accountId, cause, count, hour])).toEqual([
    ['a', 'key-cap-reached', 2, 2],
    ['', 'invalid_api_key', 1, 2],
  ]);
});

test('sums that the store did not take are written with the next flush', async () => {
  const saved: RefusalSum[] = [];
  let isAway = true;
  const refusals = recorder(async (sums) => {
    if (isAway) throw new Error('away');
    saved.push(...sums);
  });
  refusals.add({ errorCode: 'unknown_model', accountId: 'a' });
  await refusals.flush();
  isAway = false;
  refusals.add({ errorCode: 'unknown_model', accountId: 'a' });
  await refusals.flush();
  expect(saved).toMatchObject([{ cause: 'unknown_model', count: 2 }]);
});
