import { expect, test } from 'bun:test';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import type { GateOp } from '../gate/gate-op.ts';
import { ReleaseSender } from '../gate/release-sender.ts';
import { sampleLimits } from '../testing/sample-limits.ts';
import { Settlements } from './settlements.ts';

const MAX_WAITING = 20_000;

test('a full queue refuses a posting and still sends the end of its count', async () => {
  const identity = { id: () => 'node_1', closed: () => {} };
  const database = {
    first: () => Promise.withResolvers<never>().promise,
    pipeline: () => Promise.withResolvers<never>().promise,
  };
  const sent: GateOp[] = [];
  const calls = {
    isWorking: false,
    isClosed: false,
    era: 'era',
    send: async (op: GateOp) => {
      sent.push(op);
      return { verdict: ['ok', 0] as ['ok', number], now: 0, node: 'node_1' };
    },
  };
  const releases = new ReleaseSender({ calls, identity, database, decided: () => {}, observed: () => {} });
  const settlements = new Settlements({ database, identity, releases, timeoutMs: 1 });
  const order = { accountId: 'acct_1', posting: '{}', node: 'node_1' };
  for (let count = 0; count < MAX_WAITING; count++) settlements.post(order).catch(() => {});
  const returns = { takenAt: 1, endsConcurrency: true, tokens: undefined, isUncounted: false };
  const op: GateOp = { kind: 'release', limits: sampleLimits('acct_1'), returns };
  const release = { op, node: 'node_1', done: Promise.withResolvers<void>() };
  await expect(settlements.post({ ...order, release })).rejects.toBeInstanceOf(Unavailable);
  await release.done.promise;
  expect(sent).toEqual([op]);
});
