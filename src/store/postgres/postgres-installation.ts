import type { Claim, FirstAccount, InstallationStore } from '../../customers/operators/installation-store.ts';
import { commonRecords } from '../common-records.ts';
import { foundText } from '../row-columns.ts';
import type { Database } from './database.ts';
import { PostgresQueries } from './postgres-queries.ts';

const hasSql = `
  SELECT first_account_id IS NOT NULL OR EXISTS (SELECT FROM account) AS has FROM installation`;

/**
 * Makes the row that a database has once.
 * The row of the installation is the lock between nodes that start together.
 */
export class PostgresInstallation implements InstallationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async adminTokenHash(): Promise<string | undefined> {
    const row = await this.#database.first('SELECT admin_token_hash FROM installation');
    return foundText(row, 'admin_token_hash');
  }

  async claimAdminToken(hash: string): Promise<Claim> {
    const row = await this.#database.first('SELECT claim_admin_token($1) AS is_made', [hash]);
    return row?.is_made ? 'made' : 'kept';
  }

  async hasFirstAccount(): Promise<boolean> {
    const row = await this.#database.first(hasSql);
    return row?.has === true;
  }

  claimFirstAccount({ account, accountAudit, key, keyAudit }: FirstAccount): Promise<Claim> {
    return this.#database.transaction(async (queries) => {
      const row = await queries.first('SELECT claim_first_account($1) AS is_made', [account.id]);
      if (!row?.is_made) return 'kept';
      const records = commonRecords(new PostgresQueries(queries));
      await records.createAccount(account, accountAudit);
      await records.createKey(key, keyAudit);
      return 'made';
    });
  }
}
