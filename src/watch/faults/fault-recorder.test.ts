import { expect, test } from 'bun:test';
import type { AttemptRecord } from '../../edge/http/attempt-record.ts';
import type { EndedCall } from '../../upstream/calling/fault-watch.ts';
import type { FaultRow, JoinedFault } from './fault.ts';
import { FaultRecorder } from './fault-recorder.ts';

const MINUTE = 60_000;

/** Makes two processes on one store. */
function setUp() {
  const time = { now: 100 * MINUTE };
  const rows = new Map<string, FaultRow>();
  const began: JoinedFault[] = [];
  const state = { isAway: false };
  const store = {
    async saveFaults(saved: readonly FaultRow[]) {
      if (state.isAway) throw new Error('away');
      for (const row of saved) rows.set(row.id, structuredClone(row));
    },
    openFaults: async (after: number) =>
      [...rows.values()].filter(({ wellAt }) => wellAt === null || wellAt > after),
    listFaults: async () => [...rows.values()],
    sweepFaults: async () => {},
  };
  const start = () =>
    new FaultRecorder({ store, now: () => time.now, began: (fault) => began.push(fault), onFailure() {} });
  const call = (outcome: EndedCall['outcome'], rest: Partial<EndedCall> = {}): EndedCall => ({
    outcome,
    at: time.now,
    model: 'm',
    ...rest,
  });
  const ok = () => call('ok');
  const bad = (status = 500, rest: Partial<EndedCall> = {}) => call('error', { status, ...rest });
  const refused = () => call('key-refused', { status: 401, message: 'Wrong key.' });
  return { time, rows, began, state, start, ok, bad, refused };
}

test('one refused key is a fault, and it ends five minutes after a success without a failure', async () => {
  const { time, began, start, ok, refused } = setUp();
  const recorder = start();
  const first = time.now;
  recorder.ended('p', refused());
  time.now += MINUTE;
  recorder.ended('p', refused());
  expect(await recorder.list()).toMatchObject([
    { provider: 'p', cause: 'key_refused', model: 'm', firstAt: first, lastAt: time.now, failures: 2 },
  ]);
  expect(began.map(({ cause }) => cause)).toEqual(['key_refused']);
  recorder.ended('p', ok());
  time.now += 4 * MINUTE;
  recorder.ended('p', refused());
  recorder.ended('p', ok());
  time.now += 4 * MINUTE;
  expect(await recorder.list()).toMatchObject([{ failures: 3, endedAt: null }]);
  time.now += MINUTE;
  expect(await recorder.list()).toMatchObject([{ failures: 3, endedAt: time.now }]);
  recorder.ended('p', refused());
  expect((await recorder.list()).map(({ failures }) => failures)).toEqual([3, 1]);
  expect(began).toHaveLength(2);
  await recorder.close();
});

test('other causes are faults from three in five minutes, or when the target is paused', async () => {
  const { time, start, ok, bad } = setUp();
  const recorder = start();
  for (let failures = 0; failures < 2; failures++) recorder.ended('p', bad());
  expect(await recorder.list()).toEqual([]);
  time.now += 6 * MINUTE;
  for (const call of [bad(), ok(), bad(), bad(429)]) recorder.ended('p', call);
  expect(await recorder.list()).toEqual([]);
  time.now += 4 * MINUTE;
  recorder.ended('p', bad(500, { model: 'other' }));
  expect(await recorder.list()).toMatchObject([{ cause: 'failing', failures: 3, model: null }]);
  recorder.ended('q', { ...bad(), outcome: 'timeout', isPaused: true });
  expect((await recorder.list()).map(({ cause }) => cause)).toContain('timeout');
  await recorder.close();
});

test('a model that is served says nothing about the one that fails, for a while', async () => {
  const { time, start, ok, refused } = setUp();
  const recorder = start();
  recorder.ended('p', refused());
  recorder.ended('p', { ...ok(), model: 'other' });
  expect(await recorder.list()).toMatchObject([{ wellAt: null }]);
  time.now += 5 * MINUTE;
  recorder.ended('p', { ...ok(), model: 'other' });
  expect(await recorder.list()).toMatchObject([{ wellAt: time.now, endedAt: null }]);
  await recorder.close();
});

test('failures behind which another target answered are counted', async () => {
  const { start, refused } = setUp();
  const recorder = start();
  recorder.ended('p', refused());
  recorder.ended('p', refused());
  const failed = { provider: 'p', cause: 'key_refused' } as AttemptRecord;
  recorder.answered([failed, { provider: 'q', cause: null } as AttemptRecord]);
  expect(await recorder.list()).toMatchObject([{ failures: 2, hidden: 1 }]);
  await recorder.close();
});

test('processes count together, across restarts, and each success counts', async () => {
  const { time, rows, began, start, ok, bad } = setUp();
  const here = start();
  const there = start();
  await Promise.all([here.begin({ isShared: false }), there.begin({ isShared: false })]);
  for (const recorder of [here, here, there]) {
    recorder.ended('p', bad());
    await recorder.flush();
  }
  expect(began).toHaveLength(1);
  expect(await here.list()).toMatchObject([{ failures: 3, isRaised: true }]);
  await Promise.all([here.close(), there.close()]);
  time.now += MINUTE;
  const later = start();
  await later.begin({ isShared: false });
  later.ended('p', ok());
  expect(await later.list()).toMatchObject([{ failures: 3, wellAt: time.now, endedAt: null }]);
  later.ended('p', bad());
  expect(await later.list()).toMatchObject([{ failures: 4, wellAt: null }]);
  expect({ length: began.length, count: new Set([...rows.values()].map(({ id }) => id)).size }).toEqual({
    length: 1,
    count: 3,
  });
  later.ended('p', ok());
  time.now += 5 * MINUTE;
  later.ended('p', ok());
  expect(await later.list()).toMatchObject([{ failures: 4, endedAt: time.now }]);
  await later.close();
});

test('faults that the store did not take are written with the next flush', async () => {
  const { state, start, refused } = setUp();
  const recorder = start();
  recorder.ended('p', refused());
  state.isAway = true;
  await recorder.flush();
  state.isAway = false;
  expect(await recorder.list()).toMatchObject([{ failures: 1 }]);
  await recorder.close();
});
