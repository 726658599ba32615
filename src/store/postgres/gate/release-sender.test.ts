import { expect, test } from 'bun:test';
import { StoreProblem } from '../../store-problem.ts';
import { sampleLimits } from '../testing/sample-limits.ts';
import type { GateOp } from './gate-op.ts';
import { type CountRelease, type ReleaseCall, ReleaseSender } from './release-sender.ts';

const op: GateOp = {
  kind: 'release',
  limits: sampleLimits('acct_1'),
  returns: { takenAt: 1, endsConcurrency: true, tokens: undefined, isUncounted: false },
};
const releaseOf = (node: string): CountRelease => ({ op, node, done: Promise.withResolvers() });

const COUNTED = JSON.stringify({ now: 5, a: [['ok', 0]], s: [], b: [], m: [] });
const NOT_COUNTED = '{"era":true}';
const CLOSED = '{"closed":true}';
const answered = (answer: string) => ({ status: 'fulfilled' as const, value: [{ answer }] });
const lost = { status: 'rejected' as const, reason: new StoreProblem('The connection broke', 'check it') };

/** Opens a sender of `node_1`. `answers`: the answers of repeated calls. An undefined one is lost. */
function openReleases({ answers = [undefined, COUNTED] }: { answers?: (string | undefined)[] } = {}) {
  const alone: GateOp[] = [];
  const decided: GateOp[] = [];
  const repeated: unknown[][] = [];
  const calls = {
    isWorking: false,
    isClosed: false,
    era: 'era',
    send(sent: GateOp): Promise<never> {
      alone.push(sent);
      return Promise.reject(lost.reason);
    },
  };
  const releases = new ReleaseSender({
    calls,
    identity: { id: () => 'node_1', closed: () => {} },
    decided: (counted) => void decided.push(counted),
    observed: () => {},
    database: {
      async first(_, values) {
        repeated.push([...values!]);
        const answer = answers[repeated.length - 1];
        if (answer === undefined) throw lost.reason;
        return { answer };
      },
    },
  });
  return { releases, calls, alone, decided, repeated };
}

test('the end of a count is sent with its settlement and counts once', async () => {
  const { releases, alone, decided, repeated } = openReleases();
  const release = releaseOf('node_1');
  const call = releases.callOrQueue([release])!;
  releases.takeOutcome(call, answered(COUNTED));
  releases.takeOutcome(call, answered(COUNTED));
  releases.finish(call);
  await release.done.promise;
  expect({ decided, alone, repeated }).toEqual({ decided: [op], alone: [], repeated: [] });
});

test('a call whose answer was lost is repeated, even after its settlement has ended', async () => {
  const { releases, decided, repeated } = openReleases();
  const release = releaseOf('node_1');
  const call = releases.callOrQueue([release])!;
  releases.takeOutcome(call, lost);
  expect(call.isSettled).toBe(false);
  releases.finish(call);
  await release.done.promise;
  expect({ decided, repeated }).toEqual({ decided: [op], repeated: Array(2).fill(call.statement.values) });
});

test('a call is not numbered in the lane of one that is repeated', async () => {
  const { releases } = openReleases();
  const release = releaseOf('node_1');
  const laneOf = ({ statement }: ReleaseCall) => statement.values![2];
  const call = releases.callOrQueue([release])!;
  releases.takeOutcome(call, lost);
  releases.finish(call);
  await release.done.promise;
  expect(laneOf(releases.callOrQueue([releaseOf('node_1')])!)).not.toBe(laneOf(call));
});

test('while the gate is busy, its next call has the end of a count', async () => {
  const { releases, calls, alone } = openReleases();
  calls.isWorking = true;
  const release = releaseOf('node_1');
  expect(releases.callOrQueue([release])).toBeUndefined();
  await release.done.promise;
  expect(alone).toEqual([op]);
});

test('the end of a count is sent alone if the database has lost its windows', async () => {
  const { releases, alone, decided } = openReleases();
  const release = releaseOf('node_1');
  const call = releases.callOrQueue([release])!;
  releases.takeOutcome(call, answered(NOT_COUNTED));
  await release.done.promise;
  expect({ isSettled: call.isSettled, alone, decided }).toEqual({
    isSettled: true,
    alone: [op],
    decided: [],
  });
});

test('a repeated call that the database has not counted ends when its operations are counted', async () => {
  const { releases, calls } = openReleases({ answers: [NOT_COUNTED] });
  const sent = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<never>();
  calls.send = () => {
    sent.resolve();
    return answer.promise;
  };
  const release = releaseOf('node_1');
  releases.finish(releases.callOrQueue([release])!);
  let isCounted = false;
  void release.done.promise.then(() => (isCounted = true));
  await sent.promise;
  await new Promise(setImmediate);
  expect(isCounted).toBe(false);
  answer.reject(lost.reason);
  await release.done.promise;
});

test('the release of an earlier node is not sent', async () => {
  const { releases } = openReleases();
  const release = releaseOf('node_0');
  expect(releases.callOrQueue([release])).toBeUndefined();
  await release.done.promise;
});

test('a closed node gives nothing back, since its places have returned', async () => {
  const { releases, alone, decided, repeated } = openReleases();
  const release = releaseOf('node_1');
  const call = releases.callOrQueue([release])!;
  releases.takeOutcome(call, answered(CLOSED));
  await release.done.promise;
  expect({ alone, decided, repeated }).toEqual({ alone: [], decided: [], repeated: [] });
});
