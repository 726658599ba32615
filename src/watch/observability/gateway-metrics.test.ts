import { expect, test } from 'bun:test';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { GatewayMetrics, type MetricSources } from './gateway-metrics.ts';

const snapshot = {
  catalog: { labelOf: (name: string) => (name === 'alias' ? 'known' : 'unknown') },
} as unknown as Snapshot;

const detached = (notes: Partial<ExchangeNotes>) => ({
  snapshot,
  notes: Object.assign(new ExchangeNotes(), notes),
});

const counted = (metrics: GatewayMetrics, name: string): unknown =>
  metrics.read().find(({ family }) => family.name === name)?.series;

// The sources are read by gauges alone, and each of them once here.
const sources = {
  eventLoop: { longestMs: 0 },
  capacity: { waiting: () => 0, oldestWaitMs: () => 0 },
  overload: { level: 'none' },
  activity: { refusedKeys: 0 },
} as unknown as MetricSources;

test('a refused attempt of a batch item counts by what the server lacked', () => {
  const metrics = new GatewayMetrics(sources);
  metrics.detachedFinished(detached({ errorCode: 'capacity_unavailable', refusalReason: 'memory' }));
  expect(counted(metrics, 'tollgate_refused_total')).toEqual([{ values: ['memory'], value: 1 }]);
});

test('the cost without a client counts under the catalog id of the model, and is observed', () => {
  const metrics = new GatewayMetrics(sources);
  const observed: string[][] = [];
  metrics.observeUsage({
    sentUnpriced: (...sent) => observed.push(['sent', ...sent]),
    usedUnpriced: (...used) => observed.push(['used', ...used]),
    charged: (model) => observed.push(['charged', model]),
  });
  const notes = { provider: 'p', costMicrocredits: 70, unbilled: ['logprobs'], unpricedUsage: ['searches'] };
  metrics.detachedFinished(detached({ ...notes, servedModel: 'alias' }));
  metrics.detachedFinished(detached({ ...notes, servedModel: 'made-up' }));
  expect(counted(metrics, 'tollgate_spend_microcredits_total')).toEqual([
    { values: ['p', 'known'], value: 70 },
    { values: ['p', 'unknown'], value: 70 },
  ]);
  expect(observed.slice(0, 3)).toEqual([
    ['charged', 'alias'],
    ['sent', 'known', 'logprobs'],
    ['used', 'alias', 'searches'],
  ]);
});
