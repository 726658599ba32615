import type { Database, Queries } from '../database.ts';

/** Creates the tables and functions of other parts of the store, if this version does not have them. */
export async function createMissingParts(queries: Queries): Promise<void> {
  const row = await queries.first(
    `SELECT to_regclass('account_storage') IS NULL AS storage, to_regclass('node') IS NULL AS node`,
  );
  await queries.run('ALTER TABLE open_hold ADD COLUMN IF NOT EXISTS order_text text');
  await queries.run('ALTER TABLE open_hold ALTER COLUMN order_text DROP NOT NULL');
  if (row?.node)
    await queries.run(
      'CREATE TABLE node (id text PRIMARY KEY, started_at bigint, heartbeat bigint, closed_at bigint)',
    );
  if (!row?.storage) return;
  for (const statement of storage) await queries.run(statement);
}

export const registerNode = (queries: Queries, id: string) =>
  queries.run('INSERT INTO node (id, started_at, heartbeat) VALUES ($1, now_ms(), now_ms())', [id]);

/** Closes a node as another node does that finds it silent. */
export const closeNode = (database: Database, id: string): Promise<void> =>
  database.transaction(async (queries) => {
    await queries.run('UPDATE node SET closed_at = now_ms() WHERE id = $1', [id]);
    await queries.first('SELECT release_items($1)', [id]);
  });

const storage = [
  'CREATE TABLE account_storage (account_id text, until bigint, bytes bigint, PRIMARY KEY (account_id, until))',
  `CREATE FUNCTION second_of(milliseconds bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT (milliseconds + 999) / 1000 $$`,
  `CREATE FUNCTION lock_stored(owners text[]) RETURNS void LANGUAGE sql AS $$
     INSERT INTO account_storage SELECT owner, 0, 0 FROM unnest(owners) AS owner
     ON CONFLICT (account_id, until) DO UPDATE SET bytes = account_storage.bytes $$`,
  `CREATE FUNCTION add_stored(owner text, until_second bigint, change bigint) RETURNS void LANGUAGE sql AS $$
     INSERT INTO account_storage VALUES (owner, 0, change), (owner, until_second, change)
     ON CONFLICT (account_id, until) DO UPDATE SET bytes = account_storage.bytes + excluded.bytes;
     DELETE FROM account_storage WHERE account_id = owner AND until = until_second AND bytes = 0 $$`,
];
