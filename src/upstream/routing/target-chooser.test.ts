import { expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { HealthBook } from './health-book.ts';
import { NONE, type Question, TargetChooser } from './target-chooser.ts';

const targetOf = (id: string, weight = 1) =>
  ({ provider: { id, maxConcurrent: null }, upstreamModel: 'model', weight, wires: [] }) as unknown as Target;

function setUp(...targets: Target[]) {
  const book = new HealthBook();
  const drained = new Set<string>();
  const full = new Set<string>();
  const time = { now: 100_000 };
  const chooser = new TargetChooser({
    book,
    isDrained: (id) => drained.has(id),
    hasRoom: ({ id }) => !full.has(id),
    likelyWaitMs: () => 20,
    random: seededRandom(1),
  });
  const question = (about: Partial<Question> = {}): Question => ({
    ...{ targets, tried: [], isRetry: false, account: 'a', planClass: 'paid', affinity: 0, now: time.now },
    delivery: 'whole',
    ...about,
  });
  const name = (index: number) => (index === NONE ? 'none' : targets[index]!.provider.id);
  const health = (index: number) => book.of(targets)[index]!;
  const run = (index: number, outcome: 'ok' | 'error', times: number) => {
    for (let count = 0; count < times; count++)
      health(index).end(outcome, health(index).begin(false, time.now), time.now);
  };
  return {
    ...{ book, drained, full, time, health, run },
    pick: (about?: Partial<Question>) => name(chooser.pick(question(about))),
    awaited: (about?: Partial<Question>) => chooser.awaited(question(about)).map(name),
    lastResort: (about?: Partial<Question>) => name(chooser.lastResort(question(about))),
  };
}

const equals = () => setUp(targetOf('a'), targetOf('b'), targetOf('c'));

test('with little to do the first in order is chosen every time', () => {
  const { pick } = equals();
  expect(new Set(Array.from({ length: 200 }, () => pick()))).toEqual(new Set(['a']));
});

test('a higher weight goes first, and the rest only when it is gone', () => {
  const { pick, drained, full } = setUp(targetOf('main', 2), targetOf('spare', 1), targetOf('other', 1));
  expect(pick()).toBe('main');
  expect(pick({ tried: [0] })).toBe('spare');
  full.add('main');
  expect(pick()).toBe('spare');
  drained.add('spare');
  expect(pick()).toBe('other');
});

test('drained, cooling and tried targets are passed over, and none is left when all are', () => {
  const { pick, drained, health, time } = equals();
  drained.add('a');
  expect(pick()).toBe('b');
  health(1).coolDown(5_000, time.now);
  expect(pick()).toBe('c');
  expect(pick({ tried: [2] })).toBe('none');
});

test('under load equals share it', () => {
  const { pick, health, time } = equals();
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let count = 0; count < 300; count++) {
    const name = pick();
    counts[name]!++;
    health('abc'.indexOf(name)).begin(false, time.now);
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(60);
});

test('a target that answers far slower than its equals is left, and asked again when that is long ago', () => {
  const { pick, health, time } = equals();
  for (let count = 0; count < 8; count++) health(0).firstByte(2_000, { now: time.now, delivery: 'whole' });
  const chosen = Array.from({ length: 100 }, () => pick());
  expect(chosen).not.toContain('a');
  time.now += 11_000;
  expect(pick()).toBe('a');
});

test('a target that fails often is left before its circuit opens', () => {
  const { pick, run } = equals();
  for (let count = 0; count < 10; count++) {
    run(0, 'ok', 3);
    run(0, 'error', 1);
  }
  expect(Array.from({ length: 100 }, () => pick())).not.toContain('a');
});

test('a conversation stays with one target, conversations share the targets', () => {
  const { pick } = equals();
  const keys = Array.from({ length: 300 }, (_, index) => index * 7_919 + 1);
  const first = keys.map((affinity) => pick({ affinity }));
  expect(keys.map((affinity) => pick({ affinity }))).toEqual(first);
  for (const name of ['a', 'b', 'c'])
    expect(first.filter((chosen) => chosen === name).length).toBeGreaterThan(60);
});

test('when a target is gone only its own conversations move, and they come back with it', () => {
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

test('a conversation leaves a target that costs four times as much as another', () => {
  const { pick, health, time } = equals();
  const affinity = [...Array(100).keys()]
    .map((key) => key + 1)
    .find((key) => pick({ affinity: key }) === 'b')!;
  for (let count = 0; count < 3; count++) health(1).begin(false, time.now);
  expect(pick({ affinity })).toBe('b');
  for (let count = 0; count < 2; count++) health(1).begin(false, time.now);
  expect(pick({ affinity })).not.toBe('b');
});

test('targets without room are waited for', () => {
  const { pick, awaited, full, drained } = equals();
  for (const name of ['a', 'b', 'c']) full.add(name);
  drained.add('c');
  expect([pick(), awaited(), awaited({ tried: [0] })]).toEqual(['none', ['a', 'b'], ['b']]);
});

test('a target that is far slower than the wait for another is not taken because it has room', () => {
  const { pick, awaited, full, health, time } = setUp(targetOf('a'), targetOf('b'));
  for (let count = 0; count < 8; count++) health(1).firstByte(2_000, { now: time.now, delivery: 'whole' });
  full.add('a');
  expect([pick(), awaited()]).toEqual(['none', ['a']]);
  full.clear();
  expect(pick()).toBe('a');
});

test('when nothing else is left, a target in its pause is tried all the same, but never a drained one', () => {
  const { pick, lastResort, drained, health, time } = equals();
  drained.add('a');
  health(0).coolDown(1_000, time.now);
  health(1).coolDown(9_000, time.now);
  health(2).coolDown(5_000, time.now);
  expect([pick(), lastResort(), lastResort({ tried: [2] })]).toEqual(['none', 'c', 'b']);
  expect(lastResort({ tried: [1, 2] })).toBe('none');
});

test('what is known of a target outlives a reload', () => {
  const book = new HealthBook();
  const one = book.of([targetOf('a'), targetOf('b')]);
  const other = book.of([targetOf('b'), targetOf('c')]);
  expect(other[0]).toBe(one[1]!);
  expect(other[1]).not.toBe(one[0]!);
});

test('of a target that has another address or another key since a reload nothing is known', () => {
  const book = new HealthBook();
  const at = (baseUrl: string, apiKey: string): Target[] => {
    const target = targetOf('a');
    return [{ ...target, provider: { ...target.provider, baseUrl, apiKey } }];
  };
  const [first] = book.of(at('http://one', 'key'));
  first!.coolDown(60_000, 0);
  expect(book.of(at('http://one', 'key'))[0]).toBe(first!);
  expect(book.of(at('http://one', 'another'))[0]!.isReady(1)).toBe(true);
  expect(book.of(at('http://two', 'another'))[0]!.isReady(1)).toBe(true);
});
