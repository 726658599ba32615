import { expect, test } from 'bun:test';
import { systemClock } from '../../base/lib/clock.ts';
import { namesOf } from '../../base/lib/names.ts';
import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import { createAccounts } from '../../money/accounts/create-accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import { commonRecords } from '../../store/common-records.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import type { DraftStore } from '../assembly/first-start-of.ts';
import { ensureSharedFirstKey } from './ensure-first-key.ts';
import { type StartingNode, startingNodes } from './testing/starting-nodes.ts';

const nodes = startingNodes();

function accountsOn(store: DraftStore) {
  return createAccounts({
    store: store as AccountStore,
    clock: systemClock,
    names: () => namesOf('svc'),
    plans: () => ({}) as Plans,
    resolveModelId: () => undefined,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  });
}

const keyAt = ({ files, installation }: Pick<StartingNode, 'files'> & { installation: InstallationStore }) =>
  ensureSharedFirstKey({ files, accountsOn, installation });

const recordsOf = ({ database }: StartingNode) => commonRecords(new PostgresQueries(database));

test('one of several nodes that start together makes the first account with its key', async () => {
  const keys = await Promise.all(nodes.map(keyAt));
  const made = keys.filter((key) => key !== undefined);
  expect(made).toHaveLength(1);
  const store = recordsOf(nodes[0]!);
  const { items } = await store.listAccounts({ limit: 10 });
  expect(items.map(({ name, plan }) => [name, plan])).toEqual([['First account', 'enterprise']]);
  const stored = await store.findKeyByHash(hashKey(made[0]!));
  expect(stored).toMatchObject({ accountId: items[0]!.id, name: 'First key' });
  const audited = (await store.listAudit({ limit: 10 })).items.map(
    ({ action, actor }) => `${action} ${actor}`,
  );
  expect(audited).toEqual(['key-create first-start', 'account-create first-start']);
  expect(nodes.map(({ files }) => files.read('first-key'))).toEqual(keys);
  expect(nodes.filter(({ files }) => files.exists('first-key'))).toHaveLength(1);
  expect(await Promise.all(nodes.map(keyAt))).toEqual(keys);
});

test('a database with accounts from elsewhere gets no first account', async () => {
  const [node, other] = nodes;
  const store = recordsOf(node!);
  const account = await accountsOn(store).create({ name: 'Migrated', plan: 'pro' }, 'admin');
  expect(await keyAt(other!)).toBeUndefined();
  expect((await store.listAccounts({ limit: 9 })).items).toMatchObject([{ id: account.id }]);
});

test('an account that exists has its key in the file, wherever the start was interrupted', async () => {
  const node = nodes[0]!;
  const { installation } = node;
  const lost: InstallationStore = Object.create(installation, {
    hasFirstAccount: { value: () => installation.hasFirstAccount() },
    claimFirstAccount: {
      value: async (...first: Parameters<InstallationStore['claimFirstAccount']>) => {
        await installation.claimFirstAccount(...first);
        throw new Error('the connection was lost');
      },
    },
  });
  await expect(keyAt({ ...node, installation: lost })).rejects.toThrow('lost');
  const key = await keyAt(node);
  expect(await recordsOf(node).findKeyByHash(hashKey(key!))).toBeDefined();
});

test('a node that was late keeps the key that its file had before', async () => {
  const { files, installation } = nodes[0]!;
  await files.write('first-key', 'the key of another store');
  const late: InstallationStore = Object.create(installation, {
    hasFirstAccount: { value: async () => false },
    claimFirstAccount: { value: async () => 'kept' },
  });
  expect(await keyAt({ files, installation: late })).toBe('the key of another store');
  expect(files.read('first-key')).toBe('the key of another store');
});
