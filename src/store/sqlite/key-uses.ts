import type { KeyUse } from '../../money/accounts/key-use-store.ts';
import type { SqliteConnection } from './connection.ts';

export function saveKeyUses(connection: SqliteConnection, uses: readonly KeyUse[]): void {
  for (const { keyId, at } of uses) connection.run(save, { keyId, at });
}

export const selectKeyUses = (connection: SqliteConnection, accountId: string): Map<string, number> =>
  new Map(
    connection
      .all(selectOfAccount, { accountId })
      .map(({ key_id, used_at }) => [String(key_id), Number(used_at)]),
  );

const save = `
  INSERT INTO key_use (key_id, used_at) VALUES ($keyId, $at)
  ON CONFLICT DO UPDATE SET used_at = max(used_at, excluded.used_at)`;

const selectOfAccount = `
  SELECT key_id, used_at FROM api_key JOIN key_use ON key_use.key_id = api_key.id
  WHERE api_key.account_id = $accountId`;
