import { expect, test } from 'bun:test';
import { joinProviderViews } from './join-provider-views.ts';
import type { ProviderView } from './provider-schema.ts';

const none = { p50: null, p95: null, p99: null };
const view = (change: Partial<ProviderView>): ProviderView =>
  ({
    id: 'p',
    wires: ['openai-chat'],
    mode: 'live',
    source: 'configuration',
    base_url: 'http://h/v1',
    missing_variables: [],
    health: 'up',
    slots_in_use: 1,
    max_concurrent: 10,
    queue_length: 2,
    queue_by_class: { paid: 1, free: 1, batch: 0, flex: 0 },
    queue_wait_ms: { paid: none, free: none, batch: none, flex: none },
    latency_ms: { p50: 10, p95: 20, p99: 30 },
    error_rate: 0,
    requests_total: 10,
    errors_total: 1,
    last_error_at: null,
    last_error: null,
    key_refused_since: null,
    last_probe: null,
    targets: [],
    ...change,
  }) as ProviderView;

test('a provider that a process has not set up yet is shown as worse than one that is up', () => {
  const joined = joinProviderViews([view({}), view({ health: 'not-set-up' }), view({ health: 'drained' })]);
  expect(joined.health).toBe('drained');
  expect(joinProviderViews([view({}), view({ health: 'not-set-up' })]).health).toBe('not-set-up');
});

test('views of the processes are joined by sums, the worst state and the latest error', () => {
  const error = { at: '2026-01-02T00:00:00.000Z', model: 'm', status: 500 } as ProviderView['last_error'];
  const joined = joinProviderViews([
    view({}),
    view({
      health: 'degraded',
      error_rate: 0.5,
      latency_ms: { p50: 5, p95: 90, p99: 95 },
      last_error_at: '2026-01-02T00:00:00.000Z',
      last_error: error,
    }),
  ]);
  expect(joined).toMatchObject({
    health: 'degraded',
    slots_in_use: 2,
    max_concurrent: 10,
    queue_length: 4,
    requests_total: 20,
    errors_total: 2,
    error_rate: 0.25,
    latency_ms: { p50: 10, p95: 90, p99: 95 },
    last_error: error,
    queue_by_class: { paid: 2, free: 2, batch: 0, flex: 0 },
  });
});
