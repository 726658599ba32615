import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Catalog } from '../../settings/catalog/catalog.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { GatewayMetrics, type MetricSources } from './gateway-metrics.ts';

const labelOf = (name: string) => (name === 'alias' ? 'known' : 'unknown');
const snapshot = sampleSnapshot('', { catalog: partial<Catalog>({ labelOf }) });

const detached = (notes: Partial<ExchangeNotes>) => ({
  snapshot,
  notes: Object.assign(new ExchangeNotes(), notes),
});

const counted = (metrics: GatewayMetrics, name: string): unknown =>
  metrics.read().find(({ family }) => family.name === name)?.series;

// The sources are read by gauges alone, and each of them once here.
const sources = partial<MetricSources>({
  eventLoop: partial({ longestMs: 0 }),
  capacity: partial({ waiting: () => 0, oldestWaitMs: () => 0 }),
  overload: partial({ level: 'none' }),
  activity: partial({ refusedKeys: 0 }),
});

test('a refused attempt of a batch item counts by what the server lacked', () => {
  const metrics = new GatewayMetrics(sources);
  metrics.detachedFinished(detached({ errorCode: 'capacity_unavailable', refusalReason: 'memory' }));
  expect(counted(metrics, 'tollgate_refused_total')).toEqual([{ values: ['memory'], value: 1 }]);
});

test('the cost without a client is observed under the catalog id of the model', () => {
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
