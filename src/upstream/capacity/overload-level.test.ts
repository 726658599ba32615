import { expect, test } from 'bun:test';
import { closesConnections, isTakenOn, type OverloadLevel, overloadLevel } from './overload-level.ts';
import { OverloadWatch } from './overload-watch.ts';

test('refuses Free first, then queuing, then every request', () => {
  const at = (memory: number, eventLoopDelayMs = 0, descriptors = 0) =>
    overloadLevel({ memory, eventLoopDelayMs, descriptors });
  expect([at(0.849), at(0.85), at(0.92), at(0.95), at(2)]).toEqual([
    ...(['none', 'refuse-free', 'refuse-waiting'] as const),
    ...(['refuse-all', 'refuse-all'] as const),
  ]);
  expect([at(0, 0, 0.79), at(0, 0, 0.8), at(0, 0, 0.9), at(0, 0, 0.95)]).toEqual([
    ...(['none', 'refuse-free', 'refuse-waiting', 'refuse-all'] as const),
  ]);
  expect([at(0, 999), at(0, 1_000), at(0, 2_000), at(0.86, 4_000)]).toEqual([
    ...(['none', 'refuse-free', 'refuse-waiting', 'refuse-all'] as const),
  ]);
});

test('accepts fewer kinds of requests at each level', () => {
  const rows = (['none', 'refuse-free', 'refuse-waiting', 'refuse-all'] as OverloadLevel[]).map((level) => [
    isTakenOn(level, 'paid', 'start'),
    isTakenOn(level, 'paid', 'wait'),
    isTakenOn(level, 'free', 'start'),
    isTakenOn(level, 'free', 'wait'),
    closesConnections(level),
  ]);
  expect(rows).toEqual([
    [true, true, true, true, false],
    [true, true, false, false, false],
    [true, false, false, false, true],
    [false, false, false, false, true],
  ]);
});

function watchOf() {
  const state = { now: 0, memoryBytes: 100 };
  const watch = new OverloadWatch({
    now: () => state.now,
    memoryBytes: () => state.memoryBytes,
    memoryLimitBytes: 1_000,
    descriptorShare: () => 0,
  });
  const tick = (delayMs: number) => {
    state.now += 250 + delayMs;
    watch.sample();
    return watch.level;
  };
  return { state, watch, tick };
}

test('reports an overload only for lasting delays', () => {
  const { tick } = watchOf();
  expect([tick(9_000), tick(0), tick(0), tick(0)]).toEqual(['none', 'none', 'none', 'none']);
  expect([tick(1_200), tick(1_200), tick(1_200), tick(1_200)].at(-1)).toBe('refuse-free');
  expect(tick(0)).toBe('none');
});

test('reports a memory shortage and its end at once', () => {
  const { state, tick } = watchOf();
  state.memoryBytes = 930;
  expect(tick(0)).toBe('refuse-waiting');
  state.memoryBytes = 400;
  expect(tick(0)).toBe('none');
});
