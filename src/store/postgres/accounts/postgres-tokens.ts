import type { AdminToken } from '../../../customers/operators/admin-token.ts';
import type { TokenStore } from '../../../customers/operators/token-store.ts';
import type { SaveOutcome } from '../../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../../money/accounts/audit.ts';
import { changeableOfToken, rowOfToken, tokenOfRow } from '../../token-rows.ts';
import type { Queries } from '../database.ts';
import { lookups } from '../lookups.ts';
import { SqlStatement } from '../statement.ts';

/** Admin tokens. A change, its audit entry and its announcement are one statement. */
export class PostgresTokens implements TokenStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  /** A unique index on the names in use decides between two nodes that create tokens of the same name. */
  async createToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    const made = await this.#queries.first(
      `WITH made AS (
         ${statement.insert('admin_token', rowOfToken(token))}
         ON CONFLICT (lower(name COLLATE "C")) WHERE revoked_at IS NULL DO NOTHING RETURNING id
       )
       SELECT announce('token', id), ${statement.audit(audit)} FROM made`,
      statement.values,
    );
    return made ? 'saved' : 'conflict';
  }

  async findToken(id: string): Promise<AdminToken | undefined> {
    const row = await this.#lookups.first('SELECT * FROM admin_token WHERE id = $1', [id]);
    return row && tokenOfRow(row);
  }

  async findTokenByHash(hash: string): Promise<AdminToken | undefined> {
    const row = await this.#lookups.first(
      'SELECT * FROM admin_token WHERE hash = $1 OR previous_hash = $1 ORDER BY sequence LIMIT 1',
      [hash],
    );
    return row && tokenOfRow(row);
  }

  async listTokens(): Promise<AdminToken[]> {
    return (await this.#queries.all('SELECT * FROM admin_token ORDER BY sequence')).map(tokenOfRow);
  }

  async saveToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    const [id, version] = [statement.bind(token.id), statement.bind(token.version)];
    const saved = await this.#queries.first(
      `WITH saved AS (
         UPDATE admin_token SET ${statement.assign(changeableOfToken(token))}, version = version + 1
         WHERE id = ${id} AND version = ${version} RETURNING id
       )
       SELECT announce('token', id), ${statement.audit(audit)} FROM saved`,
      statement.values,
    );
    return saved ? 'saved' : 'conflict';
  }
}
