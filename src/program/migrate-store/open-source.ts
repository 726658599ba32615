import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { faultCount } from '../../money/ledger/fault-count.ts';
import { type VerifiedLedger, verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { parseSpool } from '../../store/spool/spool-lines.ts';
import { DATABASE_FILE, refuseUnfinishedRestore } from '../../store/sqlite/data-directory.ts';
import { lockDirectory } from '../../store/sqlite/directory-lock.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { fillItemCounts } from '../../store/sqlite/responses/fill-item-counts.ts';
import { SqliteConnection } from '../../store/sqlite/sqlite-connection.ts';
import type { MoveSource } from './move-table.ts';
import { makeWorkingCopy } from './working-copy.ts';

/** Copies of damaged spools stay beside it. Their settlements that can be read are billed already. */
const SPOOL = 'settlements.spool';

/** Finds a hold that is not for an item at a provider. */
const selectUnbilledHoldSql = `
  SELECT 1 FROM open_hold WHERE NOT EXISTS (
    SELECT 1 FROM batch_item WHERE submission IS NOT NULL AND batch = json_extract(checkpoint, '$.away.batch')
      AND number = json_extract(checkpoint, '$.away.number'))`;

export type OpenedSource = MoveSource & {
  /** `id` stays the same for the life of the installation. `state` changes with its content. */
  identity: { id: string; state: string };
  verified: VerifiedLedger;
  /** The content of the file with the admin token, if there is one. */
  adminToken: string | undefined;
  close(): void;
};

/**
 * Verifies a data directory that no server uses, and locks it. All reads are from a copy, so the directory
 * keeps its schema and its content. Every sum of the copy is up to date afterwards.
 */
export async function openSource(directory: string): Promise<OpenedSource> {
  const path = join(directory, DATABASE_FILE);
  if (!existsSync(path))
    throw new Unavailable(`${path} does not exist`, 'pass the data directory with --from');
  refuseUnfinishedRestore(directory);
  const lock = lockDirectory(directory);
  const closings = [() => lock.release()];
  const close = () => {
    for (const closing of closings.splice(0).reverse()) closing();
  };
  try {
    const copy = makeWorkingCopy(directory);
    closings.push(copy.remove);
    const verified = await verifySource(copy.directory);
    const connection = new SqliteConnection(join(copy.directory, DATABASE_FILE));
    closings.push(() => connection.close());
    refuseUnfinished(directory, connection);
    refuseDamaged(connection);
    countAllItems(connection);
    const token = join(directory, 'admin-token');
    const adminToken = existsSync(token) ? readFileSync(token, 'utf8').trim() : undefined;
    return { directory, connection, identity: identityOf(connection), verified, adminToken, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Opens the store as a start does, so that its schema is current. */
async function verifySource(directory: string): Promise<VerifiedLedger> {
  const store = await openSqliteStore({ directory });
  try {
    const verified = await verifyLedger(store.ledger);
    if (verified.faults.length === 0) return verified;
    throw new Unavailable(
      `The ledger of the data directory has ${faultCount(verified)}`,
      'repair it with `ledger repair` first',
    );
  } finally {
    await store.close();
  }
}

/** Refuses a directory with unfinished requests. Only a server can bill what its predecessor left. */
function refuseUnfinished(directory: string, connection: SqliteConnection): void {
  const spool = join(directory, SPOOL);
  const waiting = existsSync(spool) && parseSpool(readFileSync(spool)).postings.length > 0;
  const open = connection.first(selectUnbilledHoldSql);
  const behind = connection.first(
    'SELECT 1 FROM summed WHERE number < (SELECT coalesce(MAX(number), 0) FROM entry)',
  );
  if (!waiting && !open && !behind) return;
  throw new Unavailable(
    'The data directory has requests that are not billed yet',
    'start a server on it, stop the server, and run the command again',
  );
}

/**
 * A repair accepts damaged entries. Postgres needs the account and the number that their texts no longer
 * have.
 */
function refuseDamaged(connection: SqliteConnection): void {
  const damaged = connection.first('SELECT id FROM entry WHERE NOT json_valid(text)');
  if (!damaged) return;
  throw new Unavailable(
    `Entry ${damaged.id} of the ledger cannot be read, so it cannot be moved`,
    'restore a backup from before the damage',
  );
}

/** Counts the items of conversations that an early version stored. */
function countAllItems(connection: SqliteConnection): void {
  for (;;) {
    const turn = connection.first('SELECT id FROM turn WHERE items IS NULL ORDER BY turns DESC LIMIT 1');
    if (!turn) return;
    fillItemCounts(connection, String(turn.id));
  }
}

function identityOf(connection: SqliteConnection): { id: string; state: string } {
  const row = connection.first(`
    SELECT (SELECT id FROM account ORDER BY sequence LIMIT 1) AS id,
      (SELECT MAX(number) FROM entry) AS entries, (SELECT MAX(sequence) FROM audit) AS audit,
      (SELECT SUM(version) FROM account) AS accounts, (SELECT SUM(version) FROM api_key) AS keys,
      (SELECT group_concat(id) FROM (SELECT id FROM response ORDER BY created_at DESC LIMIT 1)) AS response,
      (SELECT COUNT(*) FROM response) AS responses, (SELECT MAX(sequence) FROM batch) AS batches,
      (SELECT SUM(attempt) FROM batch_item) AS attempts, (SELECT MAX(sequence) FROM request_group) AS requests,
      (SELECT COUNT(*) || ' ' || MAX(updated_at) FROM person) AS people, (SELECT COUNT(*) FROM membership) AS members,
      (SELECT COUNT(*) || ' ' || SUM(version) FROM billing_record) AS billing,
      (SELECT COUNT(*) || ' ' || SUM(revision) FROM budget) AS budgets,
      (SELECT COUNT(*) || ' ' || SUM(revision) FROM stored_setting) AS settings`);
  const { id, ...state } = row!;
  if (id === null)
    throw new Unavailable(
      'The data directory has no accounts, so there is nothing to move',
      'start the servers with the database instead',
    );
  return { id: String(id), state: createHash('sha256').update(JSON.stringify(state)).digest('hex') };
}
