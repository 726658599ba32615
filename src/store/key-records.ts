import type { AccountStore, CreateOutcome, KeyBound, SaveOutcome } from '../money/accounts/account-store.ts';
import type { ApiKey } from '../money/accounts/api-key.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import type { KeyUse, KeyUseStore } from '../money/accounts/key-use-store.ts';
import { changeableOfKey, keyOfRow, rowOfKey } from './key-rows.ts';
import type { RecordQueries, WriteStatement } from './record-queries.ts';

type Port = Pick<AccountStore, 'createKey' | 'findKey' | 'findKeyByHash' | 'listKeys' | 'saveKey'> &
  KeyUseStore;

const byHashSql = `
  SELECT * FROM api_key WHERE id = coalesce(
    (SELECT id FROM api_key WHERE hash = $1), (SELECT key_id FROM replaced_secret WHERE hash = $1)
  )`;

const ofAccountSql = 'SELECT * FROM api_key WHERE account_id = $1 ORDER BY sequence';

const usesOfAccountSql = `
  SELECT key_id, used_at FROM api_key JOIN key_use ON key_use.key_id = api_key.id
  WHERE api_key.account_id = $1`;

/** Keys and the times of their latest uses, in both kinds of databases. */
export class KeyRecords implements Port {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async createKey(key: ApiKey, audit: AuditEntry, bound?: KeyBound): Promise<CreateOutcome> {
    const isCreated = await this.#queries.change({ kind: 'key', audit }, (statement) => {
      const condition =
        bound &&
        this.#queries.forms.hasSpaceForKey({
          account: statement.bind(key.accountId),
          now: statement.bind(bound.now),
          limit: statement.bind(bound.limit),
        });
      return `${statement.insert('api_key', rowOfKey(key), condition)} RETURNING id`;
    });
    return isCreated ? 'created' : 'full';
  }

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#first('SELECT * FROM api_key WHERE id = $1', id);
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#first(byHashSql, hash);
  }

  async listKeys(accountId: string): Promise<ApiKey[]> {
    const rows = await this.#queries.all(ofAccountSql, [accountId]);
    return rows.map(keyOfRow);
  }

  async saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome> {
    const isSaved = await this.#queries.change({ kind: 'key', audit }, keepReplaced(key), (statement) =>
      statement.save('api_key', key, changeableOfKey(key)),
    );
    return isSaved ? 'saved' : 'conflict';
  }

  /** The order of the rows keeps two processes from waiting for each other. */
  async saveKeyUses(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    const useRows = this.#queries.forms.rowsOf('$1', { keyId: 'text', at: 'bigint' });
    await this.#queries.run(
      `INSERT INTO key_use (key_id, used_at) SELECT "keyId", at FROM ${useRows} WHERE true ORDER BY "keyId"
       ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at WHERE key_use.used_at < excluded.used_at`,
      [JSON.stringify(uses)],
    );
  }

  async keyUses(accountId: string): Promise<Map<string, number>> {
    const rows = await this.#queries.all(usesOfAccountSql, [accountId]);
    return new Map(rows.map(({ key_id, used_at }) => [String(key_id), Number(used_at)]));
  }

  async #first(text: string, value: string): Promise<ApiKey | undefined> {
    const [row] = await this.#queries.all(text, [value]);
    return row && keyOfRow(row);
  }
}

/**
 * Keeps the hash that a change replaces, so that the earlier secret still finds the key. A change that loses
 * against another process can leave the row. The row then has the current hash, which finds the same key.
 */
const keepReplaced =
  ({ id, version, hash }: ApiKey): WriteStatement =>
  (statement) =>
    `
    INSERT INTO replaced_secret (hash, key_id)
    SELECT hash, id FROM api_key
    WHERE id = ${statement.bind(id)} AND version = ${statement.bind(version)} AND hash <> ${statement.bind(hash)}
    ON CONFLICT DO NOTHING`;
