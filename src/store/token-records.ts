import type { AdminToken } from '../customers/operators/admin-token.ts';
import type { TokenStore } from '../customers/operators/token-store.ts';
import type { SaveOutcome } from '../money/accounts/account-store.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import type { RecordQueries } from './record-queries.ts';
import { changeableOfToken, rowOfToken, tokenOfRow } from './token-rows.ts';

const byHashSql = 'SELECT * FROM admin_token WHERE hash = $1 OR previous_hash = $1 ORDER BY sequence LIMIT 1';

/** Admin tokens in both kinds of databases. */
export class TokenRecords implements TokenStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async createToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    const { lower, unlessNameInUse } = this.#queries.forms;
    const isCreated = await this.#queries.change({ kind: 'token', audit }, (statement) => {
      const name = lower(`CAST(${statement.bind(token.name)} AS text)`);
      const isFree = `NOT EXISTS (SELECT 1 FROM admin_token WHERE ${lower('name')} = ${name} AND revoked_at IS NULL)`;
      return `${statement.insert('admin_token', rowOfToken(token), isFree)} ${unlessNameInUse} RETURNING id`;
    });
    return isCreated ? 'saved' : 'conflict';
  }

  findToken(id: string): Promise<AdminToken | undefined> {
    return this.#first('SELECT * FROM admin_token WHERE id = $1', id);
  }

  findTokenByHash(hash: string): Promise<AdminToken | undefined> {
    return this.#first(byHashSql, hash);
  }

  async listTokens(): Promise<AdminToken[]> {
    return (await this.#queries.all('SELECT * FROM admin_token ORDER BY sequence')).map(tokenOfRow);
  }

  async saveToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    const isSaved = await this.#queries.change({ kind: 'token', audit }, (statement) =>
      statement.save('admin_token', token, changeableOfToken(token)),
    );
    return isSaved ? 'saved' : 'conflict';
  }

  async #first(text: string, value: string): Promise<AdminToken | undefined> {
    const [row] = await this.#queries.all(text, [value]);
    return row && tokenOfRow(row);
  }
}
