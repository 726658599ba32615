import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../base/lib/units.ts';
import { noSums } from './traffic-figures.ts';
import { TrafficReport } from './traffic-report.ts';

const NOW = Date.UTC(2026, 4, 7);
const names = Array.from({ length: 150 }, (_, index) => `name_${index}`);

/** A store whose groups are all busy in the first interval. */
const store = {
  readTraffic: async ({ groups = names }: { groups?: readonly string[] | undefined }) =>
    [...groups, '*'].map((group) => ({ ...noSums(), interval: 0, group })),
  busiestGroups: async (_: unknown, limit: number) => names.slice(0, limit),
};
const report = new TrafficReport({ store, now: () => NOW });
const read = async (minutes: number, groupBy: 'key' | 'model') => {
  const from = NOW - minutes * MINUTE_MS;
  const where = { account: 'acct_1' };
  const traffic = await report.read({ from, to: NOW, interval: '1m', groupBy, where, withPrevious: false });
  if ('message' in traffic) throw new Error(traffic.message);
  return { groups: traffic.groups.length, points: traffic.points.length };
};

test('an answer has at most 100 groups, fewer if it has many intervals', async () => {
  expect(await read(60, 'key')).toEqual({ groups: 101, points: 101 * 60 });
  expect(await read(60, 'model')).toEqual({ groups: 151, points: 151 * 60 });
  expect(await read(2_880, 'key')).toEqual({ groups: 11, points: 11 * 2_880 });
  expect(await read(2_880, 'model')).toEqual({ groups: 11, points: 11 * 2_880 });
});
