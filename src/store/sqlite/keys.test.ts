import { expect, test } from 'bun:test';
import { sampleAccount, sampleAudit, sampleKey } from '../testing/conformance/sample-records.ts';
import { migrations } from './migrations.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

test('a key of an earlier version without limits and expiry can be rotated', async () => {
  const { directory, remove } = temporaryDirectory();
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'rotation'),
  );
  const account = sampleAccount();
  const key = sampleKey(account.id, { name: 'old', monthlyCapUsd: 5, allowedModels: ['@svc/small'] });
  const old = await openSqliteStore({ directory, migrations: before });
  await old.writer.write((connection) =>
    connection.run(
      `INSERT INTO account (id, name, email_verified, plan, status, cycle_started_at, cycle_day, created_at, version)
      VALUES ($id, 'Old', 0, 'free', 'active', 1, 1, 1, 1)`,
      { id: account.id },
    ),
  );
  await old.writer.write((connection) =>
    connection.run(
      `INSERT INTO api_key (id, account_id, hash, hint, name, payg, monthly_cap_usd, allowed_models, created_at, version)
      VALUES ($id, $accountId, $hash, $hint, $name, 0, $monthlyCapUsd, '["@svc/small"]', $createdAt, 1)`,
      {
        id: key.id,
        accountId: key.accountId,
        hash: key.hash,
        hint: key.hint,
        name: key.name,
        monthlyCapUsd: key.monthlyCapUsd,
        createdAt: key.createdAt,
      },
    ),
  );
  await old.close();

  const store = await openSqliteStore({ directory });
  expect(await store.findKeyByHash(key.hash)).toEqual(key);
  const rotated = { ...key, hash: '1'.repeat(64), previous: { hash: key.hash, endsAt: 5 } };
  expect(await store.saveKey(rotated, sampleAudit())).toBe('saved');
  expect(await store.findKeyByHash(key.hash)).toEqual({ ...rotated, version: 2 });
  expect(await store.listTokens()).toEqual([]);
  await store.close();
  remove();
});
