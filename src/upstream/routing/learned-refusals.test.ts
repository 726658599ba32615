import { expect, test } from 'bun:test';
import { type LearnedRefusal, LearnedRefusals } from './learned-refusals.ts';

const HOUR_S = 3_600;

function start() {
  const reported: LearnedRefusal[] = [];
  const state = { now: 0, learn_refusals: true };
  const learned = new LearnedRefusals({
    clock: { now: () => state.now },
    settings: () => ({ learn_refusals: state.learn_refusals, learned_for_s: HOUR_S }),
    learned: (refusal) => void reported.push(refusal),
  });
  return { learned, reported, state };
}

const target = (upstreamModel: string, id = 'host') => ({ provider: { id }, upstreamModel });

test('a refusal is kept for its provider and model, for an hour [RES-34]', () => {
  const { learned, reported, state } = start();
  learned.learn(target('a'), 'top_p');
  expect([...(learned.of(target('a')) ?? [])]).toEqual(['top_p']);
  expect(learned.of(target('b'))).toBeUndefined();
  expect(learned.of(target('a', 'other'))).toBeUndefined();
  learned.used(target('a'), ['top_p', 'seed']);
  expect(learned.list()).toMatchObject([{ member: 'top_p', requests: 2 }]);
  state.now = HOUR_S * 1_000 - 1;
  expect(learned.of(target('a'))?.has('top_p')).toBe(true);
  state.now++;
  expect(learned.of(target('a'))).toBeUndefined();
  expect(learned.list()).toEqual([]);
  learned.learn(target('a'), 'top_p');
  expect(reported.length).toBe(2);
});

test('refusals of the catalog stay in addition to the learned ones', () => {
  const { learned } = start();
  learned.learn(target('a'), 'top_p');
  const refuses = learned.of({ ...target('a'), refuses: new Set(['seed']) });
  expect([...(refuses ?? [])].toSorted()).toEqual(['seed', 'top_p']);
});

test('the oldest of 1,000 refusals makes room for a new one [RES-34]', () => {
  const { learned, state } = start();
  for (let index = 0; index <= 1_000; index++) {
    state.now = index;
    learned.learn(target(`model-${index % 500}`), ['seed', 'top_p', 'stop'][Math.floor(index / 500)]!);
  }
  expect(learned.list().length).toBe(1_000);
  expect([...(learned.of(target('model-0')) ?? [])]).toEqual(['top_p', 'stop']);
  expect(learned.forget()).toBe(1_000);
});

test('switching learning off forgets what was learned [RES-34]', () => {
  const { learned, state } = start();
  learned.learn(target('a'), 'top_p');
  state.learn_refusals = false;
  expect(learned.of(target('a'))).toBeUndefined();
  expect(learned.list()).toEqual([]);
  state.learn_refusals = true;
  expect(learned.of(target('a'))).toBeUndefined();
});
