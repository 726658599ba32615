import type { Payload, PayloadStore } from '../watch/requests/payload-store.ts';
import type { StatementSteps } from './common-queries.ts';
import { type PackedPayload, packPayloads, payloadOf } from './payload-packing.ts';
import type { RecordQueries } from './record-queries.ts';

const turnOnSql = 'INSERT INTO payload_account (account_id) VALUES ($1) ON CONFLICT DO NOTHING';
const turnOffSql = 'DELETE FROM payload_account WHERE account_id = $1';
const selectPayloadSql = 'SELECT * FROM payload WHERE request_id = $1 AND account_id = $2';

/** The content of requests, in both kinds of databases. */
export class PayloadRecords implements PayloadStore {
  readonly #queries: RecordQueries;
  /** The number of contents of an account that were added since it was last trimmed. */
  readonly #added = new Map<string, number>();

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async payloadAccounts(): Promise<string[]> {
    const rows = await this.#queries.all('SELECT account_id FROM payload_account');
    return rows.map((row) => String(row.account_id));
  }

  async setPayloadLogging(accountId: string, isOn: boolean): Promise<void> {
    await this.#queries.run(isOn ? turnOnSql : turnOffSql, [accountId]);
  }

  async addPayloads(payloads: readonly Payload[], mostEach: number): Promise<void> {
    if (payloads.length === 0) return;
    const packed = await packPayloads(payloads);
    const trimmed = this.#dueForTrim(packed, mostEach);
    const left = mostEach - betweenTrims(mostEach) + 1;
    await this.#queries.transaction(() => addPayloads(packed, { trimmed, left }));
  }

  /**
   * Chooses the accounts to trim. A trim reads the index of all that an account may keep, so it runs once for
   * a part of it.
   */
  #dueForTrim(packed: readonly PackedPayload[], mostEach: number): string[] {
    const accounts = [...Map.groupBy(packed, ({ accountId }) => accountId)];
    return accounts.flatMap(([accountId, { length }]) => {
      const added = (this.#added.get(accountId) ?? mostEach) + length;
      const isDue = added >= betweenTrims(mostEach);
      this.#added.set(accountId, isDue ? 0 : added);
      return isDue ? [accountId] : [];
    });
  }

  async findPayload(accountId: string, requestId: string): Promise<Payload | undefined> {
    const [row] = await this.#queries.all(selectPayloadSql, [requestId, accountId]);
    return row && payloadOf(row);
  }

  deletePayloads(accountId: string): Promise<number> {
    return this.#queries.run('DELETE FROM payload WHERE account_id = $1', [accountId]);
  }

  sweepPayloads({ before, limit }: { before: number; limit: number }): Promise<number> {
    return this.#queries.run(
      `WITH old AS MATERIALIZED (
         SELECT request_id FROM payload WHERE at < $1 ORDER BY at LIMIT $2 ${this.#queries.forms.skipLocked}
       )
       DELETE FROM payload WHERE request_id IN (SELECT request_id FROM old)`,
      [before, limit],
    );
  }
}

/** A trim leaves room for a hundredth of what an account may keep, or for this many contents. */
const TRIMS = 100;
const MAX_ROOM = 1_000;

/** Returns the number of contents of an account after which a process trims them again. */
const betweenTrims = (mostEach: number): number =>
  Math.max(1, Math.floor(Math.min(mostEach / TRIMS, MAX_ROOM)));

/** `left` is the number of contents that a trim leaves of each account. */
type Trim = { trimmed: readonly string[]; left: number };

const insertPayloadSql = `
  INSERT INTO payload (request_id, account_id, at, content) VALUES ($1, $2, $3, $4)
  ON CONFLICT (request_id) DO UPDATE SET content = excluded.content`;

/** Deletes the contents of an account, except the newest $2. */
const trimPayloadsSql = `
  DELETE FROM payload WHERE account_id = $1 AND request_id IN (
    SELECT request_id FROM payload WHERE account_id = $1 ORDER BY at DESC LIMIT 9223372036854775807 OFFSET $2)`;

function* addPayloads(packed: readonly PackedPayload[], { trimmed, left }: Trim): StatementSteps<void> {
  yield packed.map(({ requestId, accountId, at, content }) => ({
    text: insertPayloadSql,
    values: [requestId, accountId, at, content],
  }));
  yield trimmed.map((accountId) => ({ text: trimPayloadsSql, values: [accountId, left] }));
}
