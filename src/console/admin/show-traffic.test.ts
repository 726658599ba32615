import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { AdminParts } from './admin-parts.ts';
import { showTraffic } from './show-traffic.ts';

test('an answer without a group does not ask for the names of nodes', async () => {
  let asked = 0;
  const parts = partial<AdminParts>({
    traffic: partial({
      now: () => 0,
      read: async () =>
        partial({
          from: 0,
          to: 1,
          interval: '1h',
          totals: { counts: {}, latency: [], firstToken: [] },
          points: [],
          groups: [],
        }),
    }),
    nodes: partial({
      list: async () => {
        asked++;
        throw new Error('the store is down');
      },
    }),
  });
  await showTraffic({ group_by: 'node' }, parts).catch(() => {});
  expect(asked).toBe(0);
});
