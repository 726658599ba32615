import { expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { HealthBook } from './health-book.ts';
import { NONE, TargetChooser, type TargetQuestion } from './target-chooser.ts';

const targetOf = (id: string, weight = 1) => sampleTarget({ provider: sampleProvider({ id }), weight });

function setUp(...targets: Target[]) {
  const book = new HealthBook();
  const drained = new Set<string>();
  const full = new Set<string>();
  const time = { now: 100_000 };
  const chooser = new TargetChooser({
    book,
    isDrained: (id) => drained.has(id),
    hasFreeSlot: ({ id }) => !full.has(id),
    likelyWaitMs: () => 20,
    random: seededRandom(1),
  });
  const question = (about: Partial<TargetQuestion> = {}): TargetQuestion => ({
    targets,
    tried: [],
    isRetry: false,
    account: 'a',
    planClass: 'paid',
    affinity: 0,
    now: time.now,
    delivery: 'whole',
    ...about,
  });
  const name = (index: number) => (index === NONE ? 'none' : targets[index]!.provider.id);
  const health = (index: number) => book.of(targets)[index]!;
  const run = (index: number, outcome: 'ok' | 'error', times: number) => {
    for (let count = 0; count < times; count++)
      health(index).end(outcome, health(index).begin({ isRetry: false }, time.now), time.now);
  };
  return {
    book,
    drained,
    full,
    time,
    health,
    run,
    pick: (about?: Partial<TargetQuestion>) => name(chooser.pick(question(about))),
    awaited: (about?: Partial<TargetQuestion>) => chooser.awaited(question(about)).map(name),
    lastResort: (about?: Partial<TargetQuestion>) => name(chooser.lastResort(question(about))),
  };
}

const equals = () => setUp(targetOf('a'), targetOf('b'), targetOf('c'));

test('chooses the first target every time under light load', () => {
  const { pick } = equals();
  expect(new Set(Array.from({ length: 200 }, () => pick()))).toEqual(new Set(['a']));
});

test('uses a lower weight only if the higher ones are gone', () => {
  const { pick, drained, full } = setUp(targetOf('main', 2), targetOf('spare', 1), targetOf('other', 1));
  expect(pick()).toBe('main');
  expect(pick({ tried: [0] })).toBe('spare');
  full.add('main');
  expect(pick()).toBe('spare');
  drained.add('spare');
  expect(pick()).toBe('other');
});

test('skips drained, paused and tried targets, even if no other is left', () => {
  const { pick, drained, health, time } = equals();
  drained.add('a');
  expect(pick()).toBe('b');
  health(1).circuit.coolDown(5_000, time.now);
  expect(pick()).toBe('c');
  expect(pick({ tried: [2] })).toBe('none');
});

test('shares a heavy load among equal targets', () => {
  const { pick, health, time } = equals();
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let count = 0; count < 300; count++) {
    const name = pick();
    counts[name]!++;
    health('abc'.indexOf(name)).begin({ isRetry: false }, time.now);
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(60);
});

test('leaves a target that is much slower than its equals for a while', () => {
  const { pick, health, time } = equals();
  for (let count = 0; count < 8; count++) health(0).firstByte(2_000, { now: time.now, delivery: 'whole' });
  const chosen = Array.from({ length: 100 }, () => pick());
  expect(chosen).not.toContain('a');
  time.now += 11_000;
  expect(pick()).toBe('a');
});

test('leaves a target that fails often before its circuit opens', () => {
  const { pick, run } = equals();
  for (let count = 0; count < 10; count++) {
    run(0, 'ok', 3);
    run(0, 'error', 1);
  }
  expect(Array.from({ length: 100 }, () => pick())).not.toContain('a');
});

test('spreads conversations over the targets, each at one', () => {
  const { pick } = equals();
  const keys = Array.from({ length: 300 }, (_, index) => index * 7_919 + 1);
  const first = keys.map((affinity) => pick({ affinity }));
  expect(keys.map((affinity) => pick({ affinity }))).toEqual(first);
  for (const name of ['a', 'b', 'c'])
    expect(first.filter((chosen) => chosen === name).length).toBeGreaterThan(60);
});

test('moves only the conversations of a lost target, until it recovers', () => {
  const { pick, drained } = equals();
  const keys = Array.from({ length: 300 }, (_, index) => index * 104_729 + 1);
  const before = keys.map((affinity) => pick({ affinity }));
  drained.add('b');
  const during = keys.map((affinity) => pick({ affinity }));
  expect(during.filter((name, index) => name !== before[index]).length).toBe(
    before.filter((name) => name === 'b').length,
  );
  expect(during).not.toContain('b');
  drained.clear();
  expect(keys.map((affinity) => pick({ affinity }))).toEqual(before);
});

test('moves a conversation from a target that costs four times as much as another', () => {
  const { pick, health, time } = equals();
  const affinity = [...Array(100).keys()]
    .map((key) => key + 1)
    .find((key) => pick({ affinity: key }) === 'b')!;
  for (let count = 0; count < 3; count++) health(1).begin({ isRetry: false }, time.now);
  expect(pick({ affinity })).toBe('b');
  for (let count = 0; count < 2; count++) health(1).begin({ isRetry: false }, time.now);
  expect(pick({ affinity })).not.toBe('b');
});

test('queues for targets without room', () => {
  const { pick, awaited, full, drained } = equals();
  for (const name of ['a', 'b', 'c']) full.add(name);
  drained.add('c');
  expect(pick()).toBe('none');
  expect(awaited()).toEqual(['a', 'b']);
  expect(awaited({ tried: [0] })).toEqual(['b']);
});

test('prefers a wait to a free target that is much slower', () => {
  const { pick, awaited, full, health, time } = setUp(targetOf('a'), targetOf('b'));
  for (let count = 0; count < 8; count++) health(1).firstByte(2_000, { now: time.now, delivery: 'whole' });
  full.add('a');
  expect(pick()).toBe('none');
  expect(awaited()).toEqual(['a']);
  full.clear();
  expect(pick()).toBe('a');
});

test('tries a paused target as a last resort, but never a drained one', () => {
  const { pick, lastResort, drained, health, time } = equals();
  drained.add('a');
  health(0).circuit.coolDown(1_000, time.now);
  health(1).circuit.coolDown(9_000, time.now);
  health(2).circuit.coolDown(5_000, time.now);
  expect(pick()).toBe('none');
  expect(lastResort()).toBe('c');
  expect(lastResort({ tried: [2] })).toBe('b');
  expect(lastResort({ tried: [1, 2] })).toBe('none');
});

test('keeps the health of a target across a reload', () => {
  const book = new HealthBook();
  const one = book.of([targetOf('a'), targetOf('b')]);
  const other = book.of([targetOf('b'), targetOf('c')]);
  expect(other[0]).toBe(one[1]!);
  expect(other[1]).not.toBe(one[0]!);
});

test('resets the health of a target whose address or key changed in a reload', () => {
  const book = new HealthBook();
  const at = (baseUrl: string, apiKey: string): Target[] => {
    const target = targetOf('a');
    return [{ ...target, provider: { ...target.provider, baseUrl, apiKey } }];
  };
  const [first] = book.of(at('http://one', 'key'));
  first!.circuit.coolDown(60_000, 0);
  expect(book.of(at('http://one', 'key'))[0]).toBe(first!);
  expect(book.of(at('http://one', 'another'))[0]!.circuit.isReady(1)).toBe(true);
  expect(book.of(at('http://two', 'another'))[0]!.circuit.isReady(1)).toBe(true);
});

test('a request queues for a full target whose pause is short', () => {
  const { pick, awaited, full, health, time } = setUp(targetOf('a'), targetOf('b'));
  full.add('a').add('b');
  health(0).circuit.coolDown(1_000, time.now);
  health(1).circuit.coolDown(2_500, time.now);
  expect(pick()).toBe('none');
  expect(awaited()).toEqual(['a']);
  expect(awaited({ tried: [0] })).toEqual([]);
  full.clear();
  expect(pick()).toBe('none');
  expect(awaited()).toEqual([]);
});
