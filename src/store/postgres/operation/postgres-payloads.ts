import type { Payload, PayloadStore } from '../../../watch/requests/payload-store.ts';
import { packPayloads, payloadOf } from '../../payload-packing.ts';
import type { Queries } from '../database.ts';
import { lookups } from '../lookups.ts';

/** The content of requests. */
export class PostgresPayloads implements PayloadStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  async payloadAccounts(): Promise<string[]> {
    const rows = await this.#queries.all('SELECT account_id FROM payload_account');
    return rows.map((row) => String(row.account_id));
  }

  async setPayloadLogging(accountId: string, isOn: boolean): Promise<void> {
    const sql = isOn
      ? 'INSERT INTO payload_account (account_id) VALUES ($1) ON CONFLICT DO NOTHING'
      : 'DELETE FROM payload_account WHERE account_id = $1';
    await this.#queries.run(sql, [accountId]);
  }

  async addPayloads(payloads: readonly Payload[], mostEach: number): Promise<void> {
    if (payloads.length === 0) return;
    const packed = await packPayloads(payloads);
    await this.#queries.run(add, [
      packed.map(({ requestId }) => requestId),
      packed.map(({ accountId }) => accountId),
      packed.map(({ at }) => at),
      packed.map(({ content }) =>
        Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64'),
      ),
    ]);
    for (const accountId of new Set(packed.map((payload) => payload.accountId)))
      await this.#queries.run(trim, [accountId, mostEach]);
  }

  async findPayload(accountId: string, requestId: string): Promise<Payload | undefined> {
    const sql = 'SELECT * FROM payload WHERE request_id = $1 AND account_id = $2';
    const row = await this.#lookups.first(sql, [requestId, accountId]);
    return row && payloadOf(row);
  }

  async deletePayloads(accountId: string): Promise<number> {
    const rows = await this.#lookups.all('DELETE FROM payload WHERE account_id = $1 RETURNING 1 AS gone', [
      accountId,
    ]);
    return rows.length;
  }

  async sweepPayloads({ before, limit }: { before: number; limit: number }): Promise<number> {
    return (await this.#queries.all(sweep, [before, limit])).length;
  }
}

const add = `
  INSERT INTO payload (request_id, account_id, at, content)
  SELECT r, a, t, decode(c, 'base64') FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS given (r, a, t, c)
  ON CONFLICT (request_id) DO UPDATE SET content = excluded.content`;

const trim = `
  DELETE FROM payload WHERE request_id IN (
    SELECT request_id FROM payload WHERE account_id = $1 ORDER BY at DESC OFFSET $2)`;

const sweep = `
  DELETE FROM payload WHERE request_id IN (
    SELECT request_id FROM payload WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`;
