import { expect, test } from 'bun:test';
import { LatencyWindow } from '../../base/lib/latency-window.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { ProviderActivity } from './provider-activity.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const provider = { id: 'local', maxConcurrent: 4 };

function setUp() {
  const time = { now: Date.parse('2026-05-01T00:00:00Z') };
  const activity = new ProviderActivity({ now: () => time.now });
  const run = (outcome: AttemptOutcome, times = 1): void => {
    for (let count = 0; count < times; count++) activity.begin('local').end(outcome);
  };
  return { time, activity, run };
}

test('reports a provider as up and idle before its first call', () => {
  expect(setUp().activity.view(provider)).toEqual({
    health: 'up',
    slotsInUse: 0,
    maxConcurrent: 4,
    latencyMs: null,
    errorRate: 0,
    requestsTotal: 0,
    errorsTotal: 0,
    successesTotal: 0,
    lastErrorAt: null,
    lastError: null,
    keyRefusedSince: null,
    fault: null,
    lastProbe: null,
  });
});

test('reports a key once after three refusals in a row, and once when it works again', () => {
  const reported: [string, boolean][] = [];
  const activity = new ProviderActivity({ now: () => 7 });
  activity.observeFaults((id, fault) => reported.push([id, fault !== null]));
  const run = (...outcomes: AttemptOutcome[]) => {
    for (const outcome of outcomes) activity.begin('local').end(outcome);
  };
  run('key-refused');
  expect(activity.view(provider)).toMatchObject({
    health: 'faulty',
    fault: { cause: 'key_refused', since: 7 },
  });
  run('key-refused', 'ok', 'key-refused', 'timeout', 'key-refused');
  expect([reported, activity.refusedKeys]).toEqual([[], 0]); // the refusal may concern one model
  run('key-refused', 'key-refused', 'error', 'key-refused');
  expect(reported).toEqual([['local', true]]);
  expect(activity.view(provider)).toMatchObject({ health: 'down', keyRefusedSince: 7 });
  expect(activity.refusedKeys).toBe(1);
  run('ok', 'ok');
  expect(reported).toEqual([
    ['local', true],
    ['local', false],
  ]);
  expect([activity.view(provider).keyRefusedSince, activity.refusedKeys]).toEqual([null, 0]);
});

test('forgets a provider that is no longer configured, except its drain', () => {
  const { activity, run } = setUp();
  run('key-refused', 3);
  activity.drain('other');
  activity.follow([provider]);
  expect([activity.refusedKeys, activity.isDrained('other')]).toEqual([1, true]);
  activity.follow([]);
  expect([activity.refusedKeys, activity.isDrained('other'), activity.view(provider).health]).toEqual([
    0,
    true,
    'up',
  ]);
});

test('reports a single refusal of a key with the words of the provider, and further ones a minute later', () => {
  const reported: unknown[] = [];
  const time = { now: 7 };
  const activity = new ProviderActivity({ now: () => time.now });
  activity.observeRefusals((...news) => reported.push(news));
  const trouble = {
    model: 'upstream-small',
    status: 401,
    type: null,
    code: 'invalid_api_key',
    message: 'Wrong key.',
    requestId: 'r1',
    param: null,
  };
  const watcher = {
    firstByte() {},
    model: trouble.model,
    failed: (failure: UpstreamFailure) => failure,
    trouble: () => trouble,
    end() {},
  };
  const run = (...outcomes: AttemptOutcome[]) => {
    for (const outcome of outcomes) activity.begin('local', watcher).end(outcome);
  };
  run('key-refused', 'key-refused', 'key-refused', 'ok', 'key-refused');
  expect(reported).toEqual([['local', trouble]]);
  expect(activity.view(provider).lastError).toEqual({ at: 7, ...trouble });
  run('ok');
  time.now += 60_000;
  run('key-refused');
  expect(reported.length).toBe(2);
});

test('holds a slot until the attempt ends, and releases it once', () => {
  const { activity } = setUp();
  const first = activity.begin('local');
  const second = activity.begin('local');
  expect(activity.slotsInUse('local')).toBe(2);
  first.end('ok');
  first.end('error');
  expect(activity.view(provider)).toMatchObject({ slotsInUse: 1, requestsTotal: 2, errorsTotal: 0 });
  second.end('timeout');
  expect(activity.view(provider)).toMatchObject({ slotsInUse: 0, errorsTotal: 1, errorRate: 0.5 });
});

test('derives health from the error rate of the last minute', () => {
  const { time, activity, run } = setUp();
  run('error', 2);
  expect(activity.view(provider).health).toBe('up');
  run('error');
  expect(activity.view(provider)).toMatchObject({ health: 'down', errorRate: 1, lastErrorAt: time.now });
  run('ok', 7);
  expect(activity.view(provider)).toMatchObject({ health: 'degraded', errorRate: 0.3 });
  time.now += 70_000;
  expect(activity.view(provider)).toMatchObject({ health: 'up', errorRate: 0, errorsTotal: 3 });
});

test('does not count a client that leaves as an error', () => {
  const { activity, run } = setUp();
  run('canceled', 10);
  expect(activity.view(provider)).toMatchObject({
    health: 'up',
    errorRate: 0,
    requestsTotal: 10,
    errorsTotal: 0,
  });
});

test('shows a provider as drained until the drain ends [ADM-36]', () => {
  const { activity } = setUp();
  activity.drain('local');
  expect(activity.isDrained('local')).toBe(true);
  expect(activity.isDrained('other')).toBe(false);
  expect(activity.view(provider).health).toBe('drained');
  activity.undrain('local');
  expect(activity.view(provider).health).toBe('up');
});

test('records the time to the first byte once per attempt', () => {
  const { activity } = setUp();
  const attempt = activity.begin('local');
  attempt.firstByte();
  attempt.firstByte();
  expect(activity.view(provider).latencyMs!.p99).toBeLessThan(1_000);
});

test('computes percentiles of the latest 512 times', () => {
  const window = new LatencyWindow();
  expect(window.percentiles()).toBeNull();
  for (let latencyMs = 1; latencyMs <= 100; latencyMs++) window.take(latencyMs);
  expect(window.percentiles()).toEqual({ p50: 50, p95: 95, p99: 99 });
  for (let count = 0; count < 512; count++) window.take(7);
  expect(window.percentiles()).toEqual({ p50: 7, p95: 7, p99: 7 });
});
