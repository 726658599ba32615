import { expect, test } from 'bun:test';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { CallWatcher } from './open-call.ts';
import { ProviderActivity } from './provider-activity.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const provider = { id: 'local', maxConcurrent: 4 };

function setUp() {
  const time = { now: Date.parse('2026-05-01T00:00:00Z') };
  const activity = new ProviderActivity({ now: () => time.now });
  const run = (...outcomes: AttemptOutcome[]): void => {
    for (const outcome of outcomes) activity.begin('local', watcher).end(outcome);
  };
  return { time, activity, run };
}

const trouble = {
  model: 'upstream-small',
  status: 401,
  type: null,
  code: 'invalid_api_key',
  message: 'Wrong key.',
  requestId: 'r1',
  param: null,
};

/** Sees the trouble above in every call. */
const watcher: CallWatcher = {
  firstByte() {},
  model: trouble.model,
  failed: (failure: UpstreamFailure) => failure,
  trouble: () => trouble,
  end() {},
};

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

test('reports once that a key is refused three times in a row, and its recovery once', () => {
  const { time, activity, run } = setUp();
  const reports: [string, boolean][] = [];
  activity.observeFaults((id, fault) => reports.push([id, fault !== null]));
  run('key-refused');
  expect(activity.view(provider)).toMatchObject({
    health: 'faulty',
    fault: { cause: 'key_refused', since: time.now },
  });
  run('key-refused', 'ok', 'key-refused', 'timeout', 'key-refused');
  expect(reports).toEqual([]); // the refusal may concern one model
  expect(activity.refusedKeys).toBe(0);
  run('key-refused', 'key-refused', 'error', 'key-refused');
  expect(reports).toEqual([['local', true]]);
  expect(activity.view(provider)).toMatchObject({ health: 'down', keyRefusedSince: time.now });
  expect(activity.refusedKeys).toBe(1);
  run('ok', 'ok');
  expect(reports).toEqual([
    ['local', true],
    ['local', false],
  ]);
  expect(activity.view(provider).keyRefusedSince).toBeNull();
  expect(activity.refusedKeys).toBe(0);
});

test('forgets a provider that is no longer configured, except its drain', () => {
  const { activity, run } = setUp();
  run('key-refused', 'key-refused', 'key-refused');
  activity.drain('other');
  activity.follow([provider]);
  expect(activity.refusedKeys).toBe(1);
  activity.follow([]);
  expect(activity.refusedKeys).toBe(0);
  expect(activity.view(provider).health).toBe('up');
  expect(activity.isDrained('other')).toBe(true);
});

test('reports the first refusal of a key with the words of the provider', () => {
  const { time, activity, run } = setUp();
  const reports: unknown[] = [];
  activity.observeRefusals((...report) => reports.push(report));
  run('key-refused', 'key-refused');
  expect(reports).toEqual([['local', trouble]]);
  expect(activity.view(provider).lastError).toEqual({ at: time.now, ...trouble });
});

test('reports the refusals of a key that works in between at most once a minute', () => {
  const { time, activity, run } = setUp();
  const reports: unknown[] = [];
  activity.observeRefusals((...report) => reports.push(report));
  run('key-refused', 'ok', 'key-refused', 'ok');
  expect(reports).toHaveLength(1);
  time.now += 60_000;
  run('key-refused');
  expect(reports).toHaveLength(2);
});

test('holds a slot until the attempt ends', () => {
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
  run('error', 'error');
  expect(activity.view(provider).health).toBe('up');
  run('error');
  expect(activity.view(provider)).toMatchObject({ health: 'down', errorRate: 1, lastErrorAt: time.now });
  run(...Array<AttemptOutcome>(7).fill('ok'));
  expect(activity.view(provider)).toMatchObject({ health: 'degraded', errorRate: 0.3 });
  time.now += 70_000;
  expect(activity.view(provider)).toMatchObject({ health: 'up', errorRate: 0, errorsTotal: 3 });
});

test('does not count a client that leaves as an error', () => {
  const { activity, run } = setUp();
  run(...Array<AttemptOutcome>(10).fill('canceled'));
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
  const latencies: number[] = [];
  const attempt = activity.begin('local', {
    ...watcher,
    firstByte: (latencyMs) => void latencies.push(latencyMs),
  });
  attempt.firstByte();
  attempt.firstByte();
  expect(latencies).toHaveLength(1);
});
