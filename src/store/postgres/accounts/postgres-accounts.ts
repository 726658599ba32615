import type { Account } from '../../../money/accounts/account.ts';
import type {
  AccountPage,
  AccountStore,
  CreateOutcome,
  KeyBound,
  Page,
  PageRequest,
  SaveOutcome,
} from '../../../money/accounts/account-store.ts';
import type { ApiKey } from '../../../money/accounts/api-key.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRecord,
  entryOfEvent,
  JOINED_MS,
  type RepeatedEvent,
} from '../../../money/accounts/audit.ts';
import { accountOfRow, changeableOfAccount, rowOfAccount } from '../../account-rows.ts';
import { auditSequenceOf } from '../../audit-id.ts';
import { recordOfRow } from '../../audit-rows.ts';
import { changeableOfKey, keyOfRow, rowOfKey } from '../../key-rows.ts';
import { pageOf } from '../../page-of.ts';
import type { Queries } from '../database.ts';
import { lookups } from '../lookups.ts';
import { SqlStatement } from '../statement.ts';

/** Accounts, keys and the audit log. A change, its audit entry and its announcement are one statement. */
export class PostgresAccounts implements AccountStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  async createAccount(account: Account, audit: AuditEntry): Promise<void> {
    const statement = new SqlStatement();
    await this.#queries.run(
      `WITH made AS (${statement.insert('account', rowOfAccount(account))} RETURNING id)
       SELECT announce('account', id), ${statement.audit(audit)} FROM made`,
      statement.values,
    );
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const row = await this.#lookups.first('SELECT * FROM account WHERE id = $1', [id]);
    return row && accountOfRow(row);
  }

  /** Lists nothing after an unknown account, since the comparison with null is not true. */
  async listAccounts({ limit, after, search }: AccountPage): Promise<Page<Account>> {
    const statement = new SqlStatement();
    const conditions = ['true'];
    if (after !== undefined)
      conditions.push(`sequence > (SELECT sequence FROM account WHERE id = ${statement.bind(after)})`);
    if (search !== undefined) conditions.push(fitsSearch(statement.bind(search)));
    const rows = await this.#lookups.all(
      `SELECT * FROM account WHERE ${conditions.join(' AND ')} ORDER BY sequence LIMIT ${statement.bind(limit + 1)}`,
      statement.values,
    );
    return pageOf(rows.map(accountOfRow), limit);
  }

  async saveAccount(account: Account, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    const [id, version] = [statement.bind(account.id), statement.bind(account.version)];
    const saved = await this.#queries.first(
      `WITH saved AS (
         UPDATE account SET ${statement.assign(changeableOfAccount(account))}, version = version + 1
         WHERE id = ${id} AND version = ${version} RETURNING id
       )
       SELECT announce('account', id), ${statement.audit(audit)} FROM saved`,
      statement.values,
    );
    return saved ? 'saved' : 'conflict';
  }

  /** `has_room_for_key` makes the other creations for the account wait until this one is committed. */
  async createKey(key: ApiKey, audit: AuditEntry, bound?: KeyBound): Promise<CreateOutcome> {
    const statement = new SqlStatement();
    const room = bound && [key.accountId, bound.now, bound.most].map((value) => statement.bind(value));
    const condition = room && `has_room_for_key(${room.join(', ')})`;
    const made = await this.#queries.first(
      `WITH made AS (${statement.insert('api_key', rowOfKey(key), condition)} RETURNING id)
       SELECT announce('key', id), ${statement.audit(audit)} FROM made`,
      statement.values,
    );
    return made ? 'created' : 'full';
  }

  async findKey(id: string): Promise<ApiKey | undefined> {
    const row = await this.#lookups.first('SELECT * FROM api_key WHERE id = $1', [id]);
    return row && keyOfRow(row);
  }

  async findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    const row = await this.#lookups.first(keyByHash, [hash]);
    return row && keyOfRow(row);
  }

  async listKeys(accountId: string): Promise<ApiKey[]> {
    const rows = await this.#lookups.all('SELECT * FROM api_key WHERE account_id = $1 ORDER BY sequence', [
      accountId,
    ]);
    return rows.map(keyOfRow);
  }

  /** The row is locked first, so that the replaced hash is that of the version that is written over. */
  async saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    const [id, version, hash] = [key.id, key.version, key.hash].map((value) => statement.bind(value));
    const saved = await this.#queries.first(
      `WITH former AS (
         SELECT id, hash FROM api_key WHERE id = ${id} AND version = ${version} FOR UPDATE
       ), saved AS (
         UPDATE api_key SET ${statement.assign(changeableOfKey(key))}, version = version + 1
         FROM former WHERE api_key.id = former.id RETURNING api_key.id, former.hash AS former_hash
       ), kept AS (
         INSERT INTO replaced_secret (hash, key_id)
         SELECT former_hash, id FROM saved WHERE former_hash <> ${hash}
         ON CONFLICT DO NOTHING
       )
       SELECT announce('key', id), ${statement.audit(audit)} FROM saved`,
      statement.values,
    );
    return saved ? 'saved' : 'conflict';
  }

  async findAudit(id: string): Promise<AuditRecord | undefined> {
    const row = await this.#lookups.first('SELECT * FROM audit WHERE sequence = $1', [auditSequenceOf(id)]);
    return row && recordOfRow(row);
  }

  /** The text has only the conditions that are asked for, so that the planner can use their indexes. */
  async listAudit({ limit, after, ...filter }: PageRequest & AuditFilter): Promise<Page<AuditRecord>> {
    const statement = new SqlStatement();
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : auditSequenceOf(after);
    const conditions = [`sequence < ${statement.bind(before)}`];
    for (const part of ['actor', 'action', 'target'] as const)
      if (filter[part] !== undefined) conditions.push(`${part} = ${statement.bind(filter[part])}`);
    if (filter.since !== undefined) conditions.push(`at >= ${statement.bind(filter.since)}`);
    if (filter.until !== undefined) conditions.push(`at <= ${statement.bind(filter.until)}`);
    const rows = await this.#lookups.all(
      `SELECT * FROM audit WHERE ${conditions.join(' AND ')}
       ORDER BY sequence DESC LIMIT ${statement.bind(limit + 1)}`,
      statement.values,
    );
    return pageOf(rows.map(recordOfRow), limit);
  }

  async sweepAudit({ recordedBefore, limit }: { recordedBefore: number; limit: number }): Promise<number> {
    const rows = await this.#queries.all(removeOld, [recordedBefore, limit]);
    return rows.length;
  }

  /** Nodes that record an event at the same time can make an entry each. */
  async recordRepeated(event: RepeatedEvent): Promise<void> {
    const { at, actor, action, target, details, times } = event;
    const values = [at, at - JOINED_MS, actor, action, target, JSON.stringify(details), times];
    const raised = await this.#queries.first(raiseCount, values);
    if (!raised) await this.recordAudit(entryOfEvent(event));
  }

  async recordAudit(audit: AuditEntry): Promise<void> {
    const statement = new SqlStatement();
    await this.#queries.run(`SELECT ${statement.audit(audit)}`, statement.values);
  }
}

/** With the collation C, `lower` changes only ASCII, as in the embedded store. A scan of 100,000 accounts takes about 100 ms. */
function fitsSearch(bound: string): string {
  const lower = (text: string) => `lower(${text} COLLATE "C")`;
  const search = lower(`${bound}::text`);
  const contains = (column: string) => `strpos(${lower(column)}, ${search})`;
  return `(${contains('name')} > 0 OR ${contains('email')} > 0 OR ${contains('id')} = 1)`;
}

const keyByHash = `
  SELECT * FROM api_key WHERE id = coalesce(
    (SELECT id FROM api_key WHERE hash = $1), (SELECT key_id FROM replaced_secret WHERE hash = $1)
  )`;

/** Nodes that sweep at the same time skip each other's entries. */
const removeOld = `
  DELETE FROM audit WHERE sequence IN (
    SELECT sequence FROM audit WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING sequence`;

const raiseCount = `
  UPDATE audit
  SET after = (after::jsonb || jsonb_build_object(
    'times', (after::jsonb ->> 'times')::bigint + $7::bigint, 'lastAt', $1::bigint
  ))::text
  WHERE sequence = (
    SELECT sequence FROM audit
    WHERE target = $5 AND action = $4 AND actor = $3 AND at > $2
      AND CASE jsonb_typeof(after::jsonb)
        WHEN 'object' THEN after::jsonb - 'times' - 'lastAt' = $6::jsonb
      END
    ORDER BY sequence DESC LIMIT 1)
  RETURNING sequence`;
