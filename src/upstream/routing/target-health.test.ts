import { expect, test } from 'bun:test';
import type { AttemptOutcome } from '../calling/attempt-outcome.ts';
import { type AnswerForm, TargetHealth } from './target-health.ts';

function setUp() {
  const health = new TargetHealth('provider\nmodel');
  const time = { now: 100_000 };
  const run = (outcome: AttemptOutcome, times = 1) => {
    for (let count = 0; count < times; count++)
      health.end(outcome, health.begin({ isRetry: false }, time.now), time.now);
  };
  return { health, time, run };
}

test('opens a circuit only after twenty failures in a row', () => {
  const { health, time, run } = setUp();
  run('error', 19);
  expect(health.circuit.state(time.now)).toBe('closed');
  expect(health.circuit.isReady(time.now)).toBe(true);
  run('error');
  expect(health.circuit.state(time.now)).toBe('open');
  expect(health.circuit.isReady(time.now)).toBe(false);
});

test('opens the circuit after three timeouts in a row', () => {
  const { health, time, run } = setUp();
  run('timeout', 2);
  run('ok');
  run('timeout', 2);
  expect(health.circuit.state(time.now)).toBe('closed');
  run('timeout');
  expect(health.circuit.state(time.now)).toBe('open');
});

test('opens the circuit if half of many attempts fail', () => {
  const { health, time, run } = setUp();
  for (let count = 0; count < 12 && health.circuit.state(time.now) === 'closed'; count++) {
    run('ok');
    run('error');
  }
  expect(health.circuit.state(time.now)).toBe('open');
});

test('clients that leave neither open nor close a circuit', () => {
  const { health, time, run } = setUp();
  run('canceled', 100);
  expect(health.circuit.state(time.now)).toBe('closed');
  expect(health.inFlight).toBe(0);
  run('error', 20);
  run('canceled', 100);
  expect(health.circuit.state(time.now)).toBe('open');
});

test('tries a target with one request at a time after a pause until an answer closes the circuit', () => {
  const { health, time, run } = setUp();
  run('error', 20);
  time.now += 4_999;
  expect(health.circuit.isReady(time.now)).toBe(false);
  time.now += 1;
  expect(health.circuit.state(time.now)).toBe('half-open');
  expect(health.circuit.isReady(time.now)).toBe(true);
  const kind = health.begin({ isRetry: false }, time.now);
  expect({ kind, isReady: health.circuit.isReady(time.now) }).toEqual({ kind: 'probe', isReady: false });
  health.end('ok', kind, time.now);
  expect(health.circuit.state(time.now)).toBe('closed');
  expect(health.circuit.isReady(time.now)).toBe(true);
  run('error', 19);
  expect(health.circuit.state(time.now)).toBe('closed'); // earlier failures are forgotten
});

test('tries a target again after the client of a try has left', () => {
  const { health, time, run } = setUp();
  run('error', 20);
  time.now += 5_000;
  health.end('canceled', health.begin({ isRetry: false }, time.now), time.now);
  expect(health.circuit.state(time.now)).toBe('half-open');
  expect(health.circuit.isReady(time.now)).toBe(true);
});

test('doubles the pause after each failed try, up to a minute', () => {
  const { health, time, run } = setUp();
  run('error', 20);
  const pauses = [];
  for (let count = 0; count < 6; count++) {
    const pauseMs = health.circuit.pauseLeftMs(time.now);
    pauses.push(pauseMs);
    time.now += pauseMs;
    run('error');
  }
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('observes the pause that an upstream asks for until its end', () => {
  const { health, time, run } = setUp();
  health.circuit.coolDown(7_000, time.now);
  health.circuit.coolDown(1_000, time.now);
  expect(health.circuit.isReady(time.now)).toBe(false);
  expect(health.circuit.pauseLeftMs(time.now)).toBe(7_000);
  time.now += 7_000;
  expect(health.circuit.isReady(time.now)).toBe(true);
  run('ok');
  expect(health.circuit.state(time.now)).toBe('closed');
});

test('a suspension lasts for its time, and a success or the end of the suspension lets requests try again', () => {
  const { health, time, run } = setUp();
  health.circuit.suspend(300_000, time.now);
  run('error');
  expect(health.circuit.pauseLeftMs(time.now)).toBe(300_000);
  health.circuit.lift();
  expect(health.circuit.state(time.now)).toBe('half-open');
  expect(health.circuit.isReady(time.now)).toBe(true);
  health.circuit.suspend(300_000, time.now);
  run('ok');
  expect(health.circuit.state(time.now)).toBe('closed');
  expect(health.circuit.isSuspended).toBe(false);
});

test('a success that ends a short pause early lets the queue choose again', () => {
  const paused = new TargetHealth('paused');
  paused.circuit.coolDown(900, 0);
  expect(paused.hasTurned(0)).toBe(false);
  paused.end('ok', paused.begin({ isRetry: false }, 100), 200);
  expect(paused.hasTurned(200)).toBe(true);
  expect(paused.hasTurned(200)).toBe(false);
});

test('a probe whose client leaves lets the queue choose again', () => {
  const open = new TargetHealth('open');
  for (let failure = 0; failure < 20; failure++) open.end('error', open.begin({ isRetry: false }, 0), 0);
  expect(open.hasTurned(0)).toBe(true);
  expect(open.hasTurned(5_000)).toBe(true);
  const probe = open.begin({ isRetry: false }, 5_000);
  expect({ isReady: open.circuit.isReady(5_000), hasTurned: open.hasTurned(5_000) }).toEqual({
    isReady: false,
    hasTurned: false,
  });
  open.end('canceled', probe, 5_100);
  expect(open.circuit.isReady(5_100)).toBe(true);
  expect(open.hasTurned(5_100)).toBe(true);
  expect(open.hasTurned(5_100)).toBe(false);
});

test('keeps a queue only during a short pause', () => {
  const paused = new TargetHealth('paused');
  paused.circuit.coolDown(900, 0);
  expect(paused.circuit.isReady(0)).toBe(false);
  expect(paused.circuit.takesWaiter(0)).toBe(true);
  expect(paused.hasTurned(0)).toBe(false);
  paused.circuit.coolDown(5_000, 0);
  expect(paused.circuit.takesWaiter(0)).toBe(false);
  expect(paused.circuit.absenceLeftMs(0)).toBe(4_000);
  expect(paused.hasTurned(0)).toBe(true);
  expect(paused.circuit.takesWaiter(4_000)).toBe(true);
  expect(paused.hasTurned(4_000)).toBe(true);
  expect(paused.hasTurned(4_000)).toBe(false);
  const open = new TargetHealth('open');
  for (let failure = 0; failure < 20; failure++) open.end('error', open.begin({ isRetry: false }, 0), 0);
  expect(open.circuit.takesWaiter(4_900)).toBe(false);
  expect(open.circuit.absenceLeftMs(4_900)).toBe(100);
  expect(open.circuit.takesWaiter(5_000)).toBe(true);
});

test('lets a bounded number of requests try a paused target as a last resort, and closes the circuit on an answer', () => {
  const { health, time, run } = setUp();
  run('error', 20);
  const probes = [];
  while (health.circuit.takesLastResort()) probes.push(health.begin({ isRetry: false }, time.now));
  expect(probes).toEqual(new Array(8).fill('probe'));
  health.end('ok', 'probe', time.now);
  expect(health.circuit.state(time.now)).toBe('closed');
});

test('limits retries at an unhealthy target to a tenth of its traffic, with a small minimum', () => {
  const { health, time, run } = setUp();
  for (let count = 0; count < 40; count++) run(count % 3 === 0 ? 'error' : 'ok');
  let retries = 0;
  for (let count = 0; count < 2_000; count++) {
    run(count % 3 === 0 ? 'error' : 'ok');
    if (!health.takesRetry(time.now)) continue;
    retries++;
    health.end('canceled', health.begin({ isRetry: true }, time.now), time.now);
  }
  expect(retries).toBeLessThan(100 + 200 + 50);
  expect(retries).toBeGreaterThan(100);
  time.now += 1_000;
  expect(health.takesRetry(time.now)).toBe(true);
});

test('does not raise the cost of a target after two values, however old the first one is', () => {
  const { health, time } = setUp();
  const about = () => ({ now: time.now, delivery: 'whole' as const });
  const before = health.cost(about());
  for (let count = 0; count < 2; count++) {
    health.firstByte(5_000, about());
    time.now += 10_001;
  }
  time.now -= 10_001;
  expect(health.cost(about())).toBe(before);
});

test('raises the cost of a slow target after enough values, until they are stale', () => {
  const { health, time } = setUp();
  const about = (delivery: AnswerForm = 'whole') => ({ now: time.now, delivery });
  const cost = () => health.cost(about());
  const firstByte = () => health.firstByte(1_000, about());
  const before = cost();
  for (let count = 0; count < 7; count++) firstByte();
  expect(cost()).toBe(before);
  firstByte();
  expect(cost()).toBe(before * 20);
  expect(health.cost(about('stream'))).toBe(before); // whole answers do not affect streams
  time.now += 10_001;
  expect(cost()).toBe(before);
  firstByte();
  expect(cost()).toBeCloseTo(before * 20, -1); // one new answer restores it
});
