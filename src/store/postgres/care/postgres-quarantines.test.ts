import { expect, test } from 'bun:test';
import type { PostgresRow } from '../database.ts';
import { PostgresQuarantines } from './postgres-quarantines.ts';

const row = { account_id: 'acct_1', since: 1_000, reason: 'An entry cannot be read.' };

/** Creates quarantines over a database whose n-th read gets the n-th answer, whenever that comes. */
function quarantinesOver(answers: readonly Promise<PostgresRow[]>[]) {
  let reads = 0;
  return new PostgresQuarantines({
    all: () => answers[reads++]!,
    transaction: (work) =>
      work({ all: async () => [], first: async () => row, run: async () => 0, script: async () => {} }),
  });
}

test('a read whose answer comes late does not bring back a quarantine that has ended', async () => {
  const early = Promise.withResolvers<PostgresRow[]>();
  const late = Promise.withResolvers<PostgresRow[]>();
  const quarantines = quarantinesOver([early.promise, late.promise]);
  const refreshed = [quarantines.refresh(), quarantines.refresh()];
  late.resolve([]);
  await Promise.resolve();
  early.resolve([row]);
  await Promise.all(refreshed);
  expect(quarantines.all).toEqual([]);
});

test('a read whose answer comes late does not end a quarantine that was added meanwhile', async () => {
  const early = Promise.withResolvers<PostgresRow[]>();
  const late = Promise.withResolvers<PostgresRow[]>();
  const quarantines = quarantinesOver([early.promise, late.promise]);
  const heard: string[] = [];
  quarantines.listen(({ accountId }) => heard.push(accountId));
  const refreshed = [quarantines.refresh(), quarantines.refresh()];
  late.resolve([row]);
  await Promise.resolve();
  early.resolve([]);
  await Promise.all(refreshed);
  expect(quarantines.of('acct_1')).toEqual({ accountId: 'acct_1', since: 1_000, reason: row.reason });
  expect(heard).toEqual(['acct_1']);
});

test('a read that began before a quarantine was written does not end it', async () => {
  const early = Promise.withResolvers<PostgresRow[]>();
  const heard: string[] = [];
  const quarantines = quarantinesOver([early.promise]);
  quarantines.listen(({ accountId }) => heard.push(accountId));
  const refreshed = quarantines.refresh();
  await quarantines.add('acct_1', row.reason);
  early.resolve([]);
  await refreshed;
  expect(quarantines.of('acct_1')).toMatchObject({ accountId: 'acct_1', reason: row.reason });
  expect(heard).toEqual(['acct_1']);
});

test('a read that fails does not stop the next one', async () => {
  const quarantines = quarantinesOver([Promise.reject(new Error('gone')), Promise.resolve([row])]);
  await expect(quarantines.refresh()).rejects.toThrow('gone');
  await quarantines.refresh();
  expect(quarantines.all).toHaveLength(1);
});
