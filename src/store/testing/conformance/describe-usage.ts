import { describe, expect } from 'bun:test';
import { HOUR_MS } from '../../../base/lib/units.ts';
import type { RequestSum } from '../../../watch/requests/usage-store.ts';
import { heldBy, samplePosting, sampleTime } from './sample-ledger.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';

const HOUR = Math.floor(sampleTime / HOUR_MS);
const DAY = Math.floor(HOUR / 24);

const sum = (fields: Partial<RequestSum> = {}): RequestSum => ({
  accountId: 'acct_a',
  hour: HOUR,
  key: 'key_1',
  model: 'm',
  user: '',
  code: '',
  requests: 1,
  errors: 0,
  inputTokens: 10,
  cachedInputTokens: 4,
  outputTokens: 2,
  microcredits: 7,
  ...fields,
});

const ofDay = { accountId: 'acct_a', step: 'day', from: DAY, to: DAY + 1 } as const;
const ofHours = { accountId: 'acct_a', step: 'hour', from: HOUR, to: HOUR + 24 } as const;

export function describeUsage(open: OpenStore): void {
  describe('usage', () => {
    const check = storeTest(open);
    checkCharges(check);
    checkRequests(check);
    checkBounds(check);
  });
}

function checkCharges(check: StoreTest): void {
  check('sums charges by hour and day, by key and model, as soon as they are written', async ({ store }) => {
    const { ledger, usage } = store;
    for (const [requestId, at, model] of [
      ['req_1', sampleTime, 'm'],
      ['req_2', sampleTime + HOUR_MS, 'm'],
      ['req_3', sampleTime + HOUR_MS, 'n'],
    ] as const) {
      const hold = await heldBy(ledger, { accountId: 'acct_a', requestId, at });
      const posting = samplePosting(hold, 9);
      await ledger.post({ ...posting, receipt: { ...posting.receipt, model } });
    }
    const hours = await usage.chargeSeries({ ...ofHours, by: ['model'], where: {} });
    expect(hours.map(({ at, model, requests }) => [at - HOUR, model, requests])).toEqual([
      [0, 'm', 1],
      [1, 'm', 1],
      [1, 'n', 1],
    ]);
    const day = { ...ofDay, to: DAY + 2 };
    const [all, ...none] = await usage.chargeSeries({ ...day, by: [], where: {} });
    expect(none).toEqual([]);
    expect(all!.requests).toBe(3);
    expect(all!.microcredits).toBe(hours.reduce((total, { microcredits }) => total + microcredits, 0));
    expect(
      (await usage.chargeSeries({ ...day, by: [], where: { model: 'n' } })).map((row) => row.requests),
    ).toEqual([1]);
    expect(await usage.chargeSeries({ ...day, by: ['key'], where: { key: 'key_none' } })).toEqual([]);
    expect(await usage.chargeSeries({ ...day, accountId: 'acct_\0', by: [], where: {} })).toEqual([]);
  });
}

function checkRequests(check: StoreTest): void {
  check('adds sums of requests to their hour and day, even after a restart', async ({ store, reopen }) => {
    await store.usage.addRequestSums([sum({ user: 'ada' }), sum({ hour: HOUR + 1, user: 'ada' })], 10);
    await store.usage.addRequestSums(
      [sum({ user: 'ada' }), sum({ user: 'bo', key: 'key_2', model: 'n' })],
      10,
    );
    const { usage } = await reopen();
    const hours = await usage.requestSeries({ ...ofHours, by: ['user'], where: {} });
    expect(
      hours.map(({ at, user, requests, microcredits }) => [at - HOUR, user, requests, microcredits]),
    ).toEqual([
      [0, 'ada', 2, 14],
      [0, 'bo', 1, 7],
      [1, 'ada', 1, 7],
    ]);
    const days = await usage.requestSeries({ ...ofDay, to: DAY + 2, by: ['user'], where: { key: 'key_1' } });
    expect(days.reduce((total, { requests }) => total + requests, 0)).toBe(3);
    expect(days.reduce((total, { inputTokens }) => total + inputTokens, 0)).toBe(30);
  });

  check('distinguishes errors by code', async ({ store }) => {
    const { usage } = store;
    const failed = {
      requests: 0,
      errors: 1,
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
      microcredits: 0,
    };
    await usage.addRequestSums(
      [
        sum({ ...failed, code: 'unknown_model', errors: 2 }),
        sum({ ...failed, code: 'invalid_json', user: 'ada' }),
      ],
      10,
    );
    const codes = await usage.requestSeries({ ...ofDay, by: ['code'], where: {} });
    expect(codes.map(({ code, errors }) => [code, errors])).toEqual([
      ['invalid_json', 1],
      ['unknown_model', 2],
    ]);
    const [ofUser] = await usage.requestSeries({ ...ofDay, by: [], where: { user: 'ada' } });
    expect(ofUser).toMatchObject({ errors: 1, requests: 0 });
  });
}

const users = async ({ usage }: TestedStore, day: number) =>
  (await usage.requestSeries({ ...ofDay, from: day, to: day + 1, by: ['user'], where: {} })).map(
    ({ user, requests }) => [user, requests],
  );

function checkBounds(check: StoreTest): void {
  check('distinguishes a bounded number of users in a day', async ({ store }) => {
    const add = (hour: number, ...names: string[]) =>
      store.usage.addRequestSums(
        names.map((user) => sum({ user, hour })),
        2,
      );
    await add(DAY * 24, 'ada', 'bo', 'cy');
    await add(DAY * 24 + 5, 'bo', 'di');
    await add(DAY * 24 + 24, 'di');
    expect(await users(store, DAY)).toEqual([
      ['', 2],
      ['ada', 1],
      ['bo', 2],
    ]);
    expect(await users(store, DAY + 1)).toEqual([['di', 1]]);
  });

  check('removes old sums of hours and of days, some at a time', async ({ store }) => {
    const { usage } = store;
    for (let day = 0; day < 4; day++)
      await usage.addRequestSums([sum({ hour: (DAY + day) * 24, user: 'ada' })], 2);
    const old = { hoursBefore: (DAY + 3) * 24, daysBefore: DAY + 1 };
    expect(await usage.sweepRequestSums({ ...old, limit: 2 })).toBe(3);
    expect(await usage.sweepRequestSums({ ...old, limit: 2 })).toBe(1);
    expect(await usage.sweepRequestSums({ ...old, limit: 2 })).toBe(0);
    const left = async (step: 'hour' | 'day') =>
      (
        await usage.requestSeries({
          accountId: 'acct_a',
          step,
          from: DAY * (step === 'day' ? 1 : 24),
          to: (DAY + 9) * (step === 'day' ? 1 : 24),
          by: [],
          where: {},
        })
      ).length;
    expect(await left('hour')).toBe(1);
    expect(await left('day')).toBe(3);
  });
}
