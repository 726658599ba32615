import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Catalog } from '../../settings/catalog/catalog.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { type EndedExchange, RequestMetrics } from './request-metrics.ts';

const catalog = {
  labelOf(name: string) {
    if (name === 'alias') return 'known';
    return name.startsWith('made-up') ? 'unknown' : name;
  },
};
const snapshot = sampleSnapshot('', { catalog: partial<Catalog>(catalog) });

const ended = (notes: Partial<ExchangeNotes>, route = '/v1/chat/completions'): EndedExchange => ({
  requestId: 'req_1',
  route,
  snapshot,
  startedAtMs: 0,
  notes: Object.assign(new ExchangeNotes(), { status: 200 }, notes),
});

const counted = (metrics: RequestMetrics, start: string): string[] =>
  metrics
    .format()
    .split('\n')
    .filter((line) => line.startsWith(start));

test('a broken stream counts as an error with the status of its head', () => {
  const metrics = new RequestMetrics();
  const notes = { provider: 'p', servedModel: 'm', stream: true, firstTokenMs: 20 };
  metrics.finished(ended({ ...notes, errorCode: 'upstream_unavailable' }), 90);
  metrics.finished(ended(notes), 90);
  const labels = 'provider="p",model="m",route="/v1/chat/completions",status="2xx"';
  expect(counted(metrics, 'tollgate_requests_total')).toEqual([`tollgate_requests_total{${labels}} 2`]);
  expect(counted(metrics, 'tollgate_request_errors_total')).toEqual([
    `tollgate_request_errors_total{${labels},code="upstream_unavailable"} 1`,
  ]);
  expect(counted(metrics, 'tollgate_time_to_first_token_seconds_count')).toEqual([
    `tollgate_time_to_first_token_seconds_count{${labels}} 2`,
  ]);
});

test('a refused request counts under the catalog id of its model or `unknown`', () => {
  const metrics = new RequestMetrics();
  const refused = { status: 402, errorCode: 'credit_used_up' };
  for (const model of ['alias', 'made-up-1', 'made-up-2']) metrics.finished(ended({ ...refused, model }), 1);
  metrics.finished(ended({ status: 404 }, '(none)'), 1);
  expect(counted(metrics, 'tollgate_requests_total')).toEqual([
    'tollgate_requests_total{provider="",model="known",route="/v1/chat/completions",status="4xx"} 1',
    'tollgate_requests_total{provider="",model="unknown",route="/v1/chat/completions",status="4xx"} 2',
    'tollgate_requests_total{provider="",model="",route="(none)",status="4xx"} 1',
  ]);
});

test('beyond the limit of combinations, requests count under `other` and none is lost', () => {
  const metrics = new RequestMetrics();
  for (let index = 0; index < 3_000; index++)
    metrics.finished(ended({ provider: 'p', servedModel: `m${index}` }), 1);
  metrics.finished(ended({ provider: 'p', servedModel: 'm0' }), 1);
  const lines = counted(metrics, 'tollgate_requests_total');
  expect(lines.length).toBe(2_001);
  expect(lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(3_001);
  expect(lines[0]).toEndWith('model="m0",route="/v1/chat/completions",status="2xx"} 2');
  expect(lines.at(-1)).toBe(
    'tollgate_requests_total{provider="other",model="other",route="/v1/chat/completions",status="2xx"} 1000',
  );
});

test('tokens and cost are counted once, for requests and for batch items', () => {
  const metrics = new RequestMetrics();
  const notes = { provider: 'p', servedModel: 'm', inputTokens: 3, outputTokens: 4, costMicrocredits: 70 };
  metrics.finished(ended(notes), 1);
  metrics.finished(ended(notes), 1);
  metrics.addSpend(ended(notes));
  expect(counted(metrics, 'tollgate_tokens_total')).toEqual([
    'tollgate_tokens_total{model="m",direction="input"} 6',
    'tollgate_tokens_total{model="m",direction="output"} 8',
  ]);
  expect(counted(metrics, 'tollgate_spend')).toEqual([
    'tollgate_spend_microcredits_total{provider="p",model="m"} 210',
  ]);
});

test('each bucket names its latest request in OpenMetrics', () => {
  const metrics = new RequestMetrics();
  for (const requestId of ['req_a', 'req_b']) metrics.finished({ ...ended({}), requestId }, 70);
  metrics.finished({ ...ended({}), requestId: 'req_c' }, 3_000);
  const exemplars = [
    ...metrics.format('openmetrics').matchAll(/le="([^"]+)"\} (\d+) # \{request_id="(\w+)"\} (\S+)/g),
  ];
  expect(exemplars.map(([, ...parts]) => parts)).toEqual([
    ['0.1', '2', 'req_b', '0.07'],
    ['5.0', '3', 'req_c', '3'],
  ]);
  expect(metrics.format()).not.toContain('req_');
});

test('each call to a provider counts with its own status, even if another provider answered', () => {
  const metrics = new RequestMetrics();
  const call = (provider: string, status: number | null, ms: number | null) => ({
    provider,
    status,
    ms,
    model: 'upstream-name',
    modelId: 'm',
    startedAtMs: 0,
    error: null,
    cause: null,
  });
  const calls = [call('down', 503, 20), call('silent', null, 40), call('p', 200, 900), call('p', null, null)];
  metrics.finished(
    ended({ provider: 'p', servedModel: 'm', calls, inputTokens: 3, outputTokens: 70 }),
    1_000,
  );
  const route = 'model="m",route="/v1/chat/completions"';
  expect(counted(metrics, 'tollgate_upstream_duration_seconds_sum')).toEqual([
    `tollgate_upstream_duration_seconds_sum{provider="p",${route},status="2xx"} 0.9`,
    `tollgate_upstream_duration_seconds_sum{provider="down",${route},status="5xx"} 0.02`,
    `tollgate_upstream_duration_seconds_sum{provider="silent",${route},status=""} 0.04`,
  ]);
  expect(counted(metrics, 'tollgate_requests_total')).toEqual([
    `tollgate_requests_total{provider="p",${route},status="2xx"} 1`,
  ]);
  expect(counted(metrics, 'tollgate_request_tokens_sum')).toEqual([
    `tollgate_request_tokens_sum{provider="p",${route},status="2xx",direction="input"} 3`,
    `tollgate_request_tokens_sum{provider="p",${route},status="2xx",direction="output"} 70`,
  ]);
});
