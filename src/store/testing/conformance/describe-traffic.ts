import { describe, expect } from 'bun:test';
import { HOUR_MS } from '../../../base/lib/units.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import type { RefusalSum } from '../../../watch/refusals/refusal-sum.ts';
import { addLatency } from '../../../watch/traffic/latency-buckets.ts';
import { recountTraffic } from '../../../watch/traffic/recount-traffic.ts';
import { noSums } from '../../../watch/traffic/traffic-figures.ts';
import { OTHER_GROUPS } from '../../../watch/traffic/traffic-question.ts';
import type { TrafficRow } from '../../../watch/traffic/traffic-store.ts';
import { heldBy, samplePosting, sampleTime } from './sample-ledger.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';

const AT = 29_000_000;

const row = (
  fields: Partial<TrafficRow>,
  place: Partial<TrafficRow['place']>,
  requests: number,
): TrafficRow => {
  const sums = noSums();
  sums.counts.requests = requests;
  sums.counts.revenue = requests * 3_000_000_000_000;
  for (let index = 0; index < requests; index++) addLatency(sums.latency, 100);
  const whole = {
    provider: 'p',
    model: 'm',
    account: 'a',
    key: 'k',
    status: '2xx',
    node: 'n',
    source: 'api',
  };
  return {
    step: 'minute',
    cut: 'details',
    at: AT,
    part: 1,
    place: { ...whole, ...place },
    ...sums,
    ...fields,
  };
};

const question = {
  step: 'minute',
  cut: 'details',
  from: AT - 60,
  to: AT + 60,
  every: null,
  groupBy: null,
  where: {},
} as const;

/** Describes tests of the sums of traffic and of refusals. */
export function describeTraffic(open: OpenStore): void {
  describe('traffic', () => {
    const check = storeTest(open);
    checkTraffic(check);
    checkMerges(check);
    checkRecount(check);
    checkRefusals(check);
  });
}

function checkTraffic(check: StoreTest): void {
  check(
    'rows replace their earlier versions, and those of other parts and nodes add to them',
    async ({ store }) => {
      const { traffic } = store;
      await traffic.saveTraffic([row({}, {}, 1), row({}, { node: 'o' }, 10)]);
      await traffic.saveTraffic([row({}, {}, 2), row({ part: 2 }, {}, 100)]);
      const [sum] = await traffic.readTraffic(question);
      expect(sum!.counts).toMatchObject({ requests: 112, revenue: 336_000_000_000_000 });
      expect([...sum!.latency.values()]).toEqual([112]);
    },
  );

  check('sums by interval and group, with filters, and in the asked cut alone', async ({ store }) => {
    const { traffic } = store;
    await traffic.saveTraffic([
      row({}, { model: 'x' }, 1),
      row({ at: AT + 4 }, { model: 'x', account: 'b' }, 2),
      row({ at: AT + 5 }, { model: 'y' }, 4),
      row({ at: AT + 59 }, { model: "o'z" }, 8),
      row({ at: AT + 60 }, { model: 'y' }, 16),
      row({ cut: 'whole' }, {}, 32),
      row({ step: 'hour' }, {}, 64),
    ]);
    const read = async (asked: object) =>
      (await traffic.readTraffic({ ...question, from: AT, every: 5, ...asked })).map(
        ({ interval, group, counts }) => [interval, group, counts.requests],
      );
    expect(await read({})).toEqual([
      [0, null, 3],
      [1, null, 4],
      [11, null, 8],
    ]);
    expect(await read({ groupBy: 'model', where: { account: 'a', status: '2xx' } })).toEqual([
      [0, 'x', 1],
      [1, 'y', 4],
      [11, "o'z", 8],
    ]);
    expect(await read({ groupBy: 'model', groups: ["o'z"], every: null })).toEqual([
      [0, OTHER_GROUPS, 7],
      [0, "o'z", 8],
    ]);
    expect(await traffic.busiestGroups({ ...question, from: AT, groupBy: 'model' }, 2)).toEqual(["o'z", 'y']);
    expect(await read({ where: { model: 'none' } })).toEqual([]);
  });

  check('a long span is read in slices that keep their intervals', async ({ store }) => {
    const { traffic } = store;
    await traffic.saveTraffic([0, 29, 30, 95].map((at) => row({ at: AT + at }, {}, 1)));
    const found = await traffic.readTraffic({ ...question, from: AT, to: AT + 100, every: 1 });
    expect(found.map(({ interval }) => interval)).toEqual([0, 29, 30, 95]);
  });

  check('sweeps the oldest minute of each cut until none is too old', async ({ store }) => {
    const { traffic } = store;
    await traffic.saveTraffic([row({}, {}, 1), row({ cut: 'whole' }, {}, 1), row({ at: AT + 1 }, {}, 1)]);
    await traffic.saveTraffic([row({ at: AT + 2 }, {}, 1), row({ step: 'day' }, {}, 1)]);
    const removed = [];
    for (let sweep = 0; sweep < 3; sweep++) removed.push(await traffic.sweepTraffic('minute', AT + 2));
    expect(removed).toEqual([2, 1, 0]);
    expect(await traffic.readTraffic(question)).toMatchObject([{ counts: { requests: 1 } }]);
    expect(await traffic.readTraffic({ ...question, step: 'day' })).toHaveLength(1);
  });
}

const DAY = 20_000;

/** Returns rows of 30 days in every cut, on two nodes, with other figures each. */
function monthOfRows(): TrafficRow[] {
  const rows: TrafficRow[] = [];
  for (let day = 0; day < 30; day++)
    for (const node of ['n', 'o'])
      for (const account of ['a', 'b', 'c'].slice(day % 3)) {
        const at = DAY + day;
        const requests = 1 + ((day * 7 + account.charCodeAt(0)) % 5);
        const model = `m${day % 4}`;
        const none = { provider: '', model: '', status: '', source: '' };
        rows.push(
          row({ step: 'day', at, part: account.charCodeAt(0) }, { node, account, model }, requests),
          row({ step: 'day', at, cut: 'accounts' }, { ...none, node, account }, requests),
          row(
            { step: 'day', at, cut: 'whole', part: account.charCodeAt(0) },
            { node, account: '', key: '', model },
            requests,
          ),
        );
      }
  return rows;
}

/** Questions about days. `every` is a multiple of the merged days, or the span is one interval. */
const monthQuestions = (['whole', 'accounts', 'details'] as const).flatMap((cut) =>
  [
    { from: DAY, to: DAY + 30, every: null },
    { from: DAY + 3, to: DAY + 27, every: null },
    { from: DAY + 4, to: DAY + 28, every: 4 },
    { from: DAY + 1, to: DAY + 30, every: 4 },
    { from: DAY, to: DAY + 40, every: 8 },
    { from: DAY + 8, to: DAY + 24, every: 8 },
    { from: DAY, to: DAY + 30, every: 1 },
    { from: DAY + 5, to: DAY + 7, every: null },
  ].flatMap((span) => [
    { ...span, cut, groupBy: null, where: {} },
    { ...span, cut, groupBy: 'node' as const, where: {} },
    { ...span, cut, groupBy: null, where: { node: 'o' } },
    ...(cut === 'whole' ? [] : [{ ...span, cut, groupBy: 'account' as const, where: {} }]),
    ...(cut === 'accounts' ? [{ ...span, cut, groupBy: 'account' as const, where: { node: 'o' } }] : []),
    ...(cut === 'details'
      ? [
          { ...span, cut, groupBy: 'model' as const, where: { account: 'b' } },
          { ...span, cut, groupBy: 'account' as const, where: { model: 'm2' } },
          { ...span, cut, groupBy: 'account' as const, where: { model: 'm2', provider: 'p' } },
          { ...span, cut, groupBy: 'account' as const, where: { model: 'm2', node: 'o' } },
          { ...span, cut, groupBy: 'key' as const, where: { status: '2xx' } },
          { ...span, cut, groupBy: 'provider' as const, where: { key: 'k' } },
        ]
      : []),
    ...(cut === 'accounts' ? [{ ...span, cut, groupBy: 'account' as const, groups: ['b'], where: {} }] : []),
  ]),
);

function checkMerges(check: StoreTest): void {
  check('merged days give the answers of the days', async ({ store: { traffic } }) => {
    const answers = async () => {
      const found: unknown[] = [];
      for (const asked of monthQuestions) {
        const read = await traffic.readTraffic({ ...question, step: 'day', ...asked });
        found.push(read.map((one) => ({ ...one, latency: [...one.latency].sort() })));
        const { groupBy } = asked;
        if (groupBy)
          found.push(await traffic.busiestGroups({ ...question, step: 'day', ...asked, groupBy }, 9));
      }
      return found;
    };
    const mergeAll = async (before: number) => {
      let merges = 0;
      while (await traffic.mergeDays(before)) merges++;
      return merges;
    };
    const rows = monthOfRows();
    await traffic.saveTraffic(rows);
    const before = await answers();
    expect(await mergeAll(DAY + 27)).toBe(6 + 6 * 3);
    expect(await answers()).toEqual(before);
    expect(await traffic.mergeDays(DAY + 27)).toBe(false);
    const sixth = { ...question, step: 'day', cut: 'accounts', from: DAY + 16, to: DAY + 24 } as const;
    const [whole] = await traffic.readTraffic(sixth);
    // A process that could not write for some days makes its row complete, and another one adds a row.
    const late = rows.find(({ cut, at }) => cut === 'accounts' && at === DAY + 21)!;
    const grown = { ...late, counts: { ...late.counts, requests: late.counts.requests + 100 } };
    await traffic.saveTraffic([grown, { ...late, part: 99 }]);
    // Day 21 is in the sixth four days, and in the third eight days.
    expect(await mergeAll(DAY + 27)).toBe(1 + 6);
    const [more] = await traffic.readTraffic(sixth);
    expect(more!.counts.requests).toBe(whole!.counts.requests + 100 + late.counts.requests);
    expect(await mergeAll(DAY + 28)).toBe(1);
  });

  check('merged days are removed with their days', async ({ store: { traffic } }) => {
    await traffic.saveTraffic(monthOfRows());
    while (await traffic.mergeDays(DAY + 28));
    for (let day = 0; day < 30; day++) await traffic.sweepTraffic('day', DAY + 28);
    const year = { ...question, step: 'day', cut: 'accounts', from: DAY - 4, to: DAY + 32 } as const;
    expect(await traffic.readTraffic({ ...year, to: DAY + 28 })).toEqual([]);
    expect(await traffic.readTraffic(year)).toHaveLength(1);
  });

  check('the first time of a milestone stays', async ({ store: { milestones } }) => {
    expect(await milestones.milestone('answer')).toBeUndefined();
    await milestones.noteMilestone('answer', 5);
    await milestones.noteMilestone('answer', 3);
    expect(await milestones.milestone('answer')).toBe(5);
  });
}

function checkRecount(check: StoreTest): void {
  check(
    'charges that a dead process had not counted are counted once, from the ledger',
    async ({ store }) => {
      const { ledger, traffic, countedRequests } = store;
      for (const requestId of ['req_1', 'req_2', 'req_3'])
        await ledger.post(samplePosting(await heldBy(ledger, { requestId }), 10));
      await traffic.saveTraffic([], [{ node: 'dead', at: 1, requestIds: ['req_0'] }]);
      await traffic.saveTraffic([], [{ node: 'dead', at: 1, requestIds: ['req_2'] }]);
      await traffic.saveTraffic([], [{ node: 'alive', at: 1, requestIds: [] }]);
      // Which node wrote an entry is not known here.
      const ofAll: Parameters<typeof recountTraffic>[0] = {
        traffic,
        countedRequests: {
          listCounted: () => countedRequests.listCounted(),
          entriesBefore: (number) => countedRequests.entriesBefore(number, null),
          forgetCounted: (...order) => countedRequests.forgetCounted(...order),
        },
      };
      const writing = async () => new Set(['alive']);
      expect(await recountTraffic(ofAll, writing)).toBe(2);
      expect(await recountTraffic(ofAll, writing)).toBe(0);
      const day = dayOf(sampleTime);
      const span = { ...question, step: 'day', from: day, to: day + 3, groupBy: 'provider' } as const;
      expect(await traffic.readTraffic(span)).toMatchObject([
        { group: 'one', counts: { requests: 2, attempts: 2, input_tokens: 14, revenue: 20 } },
      ]);
      expect(await countedRequests.listCounted()).toEqual([{ node: 'alive', at: 1, requestIds: [] }]);
    },
  );
}

const refusal = (fields: Partial<RefusalSum>): RefusalSum => ({
  hour: 500,
  accountId: 'a',
  code: 'c',
  cause: 'k',
  node: 'n',
  part: 1,
  count: 1,
  firstAt: 500 * HOUR_MS + 5,
  lastAt: 500 * HOUR_MS + 9,
  ...fields,
});

function checkRefusals(check: StoreTest): void {
  check('refusals are grouped by cause, the most frequent first', async ({ store }) => {
    const { refusals } = store;
    await refusals.saveRefusals([refusal({}), refusal({ accountId: '', code: 'x', cause: 'x' })]);
    await refusals.saveRefusals([refusal({ count: 2 }), refusal({ accountId: 'b', count: 4, node: 'o' })]);
    const from = 500 * HOUR_MS;
    const list = (asked: object = {}) => refusals.listRefusals({ from, to: from + HOUR_MS, ...asked });
    const times = { firstAt: from + 5, lastAt: from + 9 };
    expect(await list()).toEqual([
      { code: 'c', cause: 'k', count: 6, accounts: 2, account: null, ...times },
      { code: 'x', cause: 'x', count: 1, accounts: 0, account: null, ...times },
    ]);
    expect(await list({ account: 'b' })).toMatchObject([{ count: 4, accounts: 1, account: 'b' }]);
    expect(await list({ from: from + 10 })).toEqual([]);
    expect(await list({ to: from + 5 })).toEqual([]);
    await refusals.sweepRefusals(501);
    expect(await list()).toEqual([]);
  });
}
