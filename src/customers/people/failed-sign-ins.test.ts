import { expect, test } from 'bun:test';
import type { RepeatedEvent } from '../../money/accounts/repeated-event.ts';
import { FailedSignIns } from './failed-sign-ins.ts';

function openLog(people: Readonly<Record<string, string>> = {}) {
  const written: Omit<RepeatedEvent, 'at'>[] = [];
  const errors: unknown[] = [];
  const state = { now: 0, fails: false };
  const log = new FailedSignIns({
    accounts: {
      recordRepeated: async (event) => {
        if (state.fails) throw new Error('the store is away');
        written.push(event);
      },
    },
    personWith: async (email) => people[email],
    now: () => state.now,
    onFailure: (error) => errors.push(error),
  });
  /** The entries that a store would have: one for each target and details. */
  const entries = () => new Set(written.map(({ target, details }) => JSON.stringify([target, details]))).size;
  const times = () => written.reduce((sum, event) => sum + event.times, 0);
  return { log, written, errors, state, entries, times };
}

const guess = (network: string, email: string) => ({ by: 'password', network, email });

test('a flood of failed sign-ins from many networks begins a bounded number of entries [ADM-50]', async () => {
  const { log, entries, times, written, state } = openLog({ 'ada@example.com': 'usr_ada' });
  for (let index = 0; index < 5_000; index++)
    log.add(guess(`10.0.${index >> 8}.${index & 255}`, `x${index}@y`));
  await log.settle();
  expect(times()).toBe(5_000);
  expect(entries()).toBeLessThanOrEqual(61);
  log.add(guess('192.0.2.1', 'ada@example.com'));
  await log.settle();
  expect(written.at(-1)).toMatchObject({ target: 'usr_ada', details: { network: '192.0.2.1' } });
  state.now = 3_600_000;
  log.add(guess('192.0.2.2', 'nobody@example.com'));
  await log.settle();
  expect(written.at(-1)).toMatchObject({ target: 'unknown', details: { network: '192.0.2.2' } });
});

test('failures during a write are counted together, even after a failed write', async () => {
  const { log, written, errors, state } = openLog();
  state.fails = true;
  log.add(guess('192.0.2.1', 'a@example.com'));
  await log.settle();
  expect(errors).toHaveLength(1);
  state.fails = false;
  for (let index = 0; index < 3; index++) log.add(guess('192.0.2.1', 'A@example.com'));
  await log.settle();
  expect(written.map(({ times }) => times).reduce((sum, one) => sum + one)).toBe(3);
  expect(JSON.stringify(written)).not.toContain('example.com');
});
