import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { Principal } from './principal.ts';
import { StaleCaller } from './stale-caller.ts';
import { startOver } from './start-over.ts';

const caller = (version: number) => ({ account: { version } }) as Principal;
const versionOf = ({ account }: Principal) => account.version;

function setUp(freshFrom: number) {
  const worked: number[] = [];
  const restart = {
    authenticate: async (stale: Principal) => caller(versionOf(stale) + 1),
    work: async (current: Principal) => {
      worked.push(versionOf(current));
      if (versionOf(current) < freshFrom) throw new StaleCaller();
      return 'done';
    },
  };
  return { worked, restart };
}

test('starts over with the current caller until its account and key no longer change', async () => {
  const { worked, restart } = setUp(2);
  expect(await startOver(new StaleCaller(), caller(0), restart)).toBe('done');
  expect(worked).toEqual([1, 2]);
});

test('gives up after three times, as if the store were away', async () => {
  const { worked, restart } = setUp(9);
  const failure = await startOver(new StaleCaller(), caller(0), restart).catch((error: unknown) => error);
  expect({ status: refusalOfError(failure).status, worked }).toEqual({ status: 503, worked: [1, 2, 3] });
});

test('ends with the refusal of a caller that is no longer accepted', async () => {
  const { worked, restart } = setUp(9);
  const revoked = new Refusal('revoked_api_key');
  const authenticate = () => revoked;
  expect(await startOver(new StaleCaller(), caller(0), { ...restart, authenticate })).toBe(revoked);
  expect(worked).toEqual([]);
});

test('does not repeat work that failed for another reason', async () => {
  const { worked, restart } = setUp(0);
  const bug = new Error('a bug');
  expect(await startOver(bug, caller(0), restart).catch((error: unknown) => error)).toBe(bug);
  expect(worked).toEqual([]);
});
