import type { KeyUse, KeyUseStore } from '../../../money/accounts/key-use-store.ts';
import type { Queries } from '../database.ts';
import { lookups } from '../lookups.ts';

/** When keys were last used, on all nodes. */
export class PostgresKeyUses implements KeyUseStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  async saveKeyUses(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    await this.#queries.run(save, [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)]);
  }

  async keyUses(accountId: string): Promise<Map<string, number>> {
    const rows = await this.#lookups.all(selectOfAccount, [accountId]);
    return new Map(rows.map(({ key_id, used_at }) => [String(key_id), Number(used_at)]));
  }
}

/** The order of the rows keeps two nodes from waiting for each other. */
const save = `
  INSERT INTO key_use (key_id, used_at)
  SELECT key_id, used_at FROM unnest($1::text[], $2::bigint[]) AS given (key_id, used_at) ORDER BY key_id
  ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at WHERE key_use.used_at < excluded.used_at`;

const selectOfAccount = `
  SELECT key_id, used_at FROM api_key JOIN key_use ON key_use.key_id = api_key.id
  WHERE api_key.account_id = $1`;
