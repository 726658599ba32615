import { Unavailable } from '../../base/errors/unavailable.ts';
import { counted } from '../../base/lib/counted.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { type VerifiedLedger, verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { PostgresLedgerCare } from '../../store/postgres/care/postgres-ledger-care.ts';
import { Database } from '../../store/postgres/database.ts';
import { migrate } from '../../store/postgres/migrate.ts';
import { schema } from '../../store/postgres/schema.ts';
import { claimTarget, completeTarget } from './claim-target.ts';
import { type MovedRows, moveTable } from './move-table.ts';
import { movedSums } from './moved-sums.ts';
import { movedTables } from './moved-tables.ts';
import { type OpenedSource, openSource } from './open-source.ts';

export type MigrationOrder = {
  from: string;
  to: string;
  /** Reports the progress after each slice. */
  report(moved: MovedRows): void;
};

export type MigratedStore = {
  /** The rows that this run has moved, by table. */
  moved: Record<string, number>;
  /** True if an earlier run had moved everything. */
  wasComplete: boolean;
  verified: VerifiedLedger;
};

/** Sums over whole tables take longer than the statements of a request. */
const LONG = { deadlineMs: HOUR_MS };

/**
 * Moves a data directory to a Postgres database. An interrupted run can be repeated, and a repeated complete
 * run adds nothing.
 */
export async function migrateStore({ from, to, report }: MigrationOrder): Promise<MigratedStore> {
  const source = await openSource(from);
  const database = new Database({ url: to, maxConnections: 2, ...LONG });
  try {
    await tryConnection(to);
    await migrate(database, schema);
    const wasComplete = await claimTarget(database, source.identity);
    const moved: Record<string, number> = {};
    if (!wasComplete) {
      for (const table of movedTables) moved[table.name] = await moveTable(source, database, table, report);
      await keepAdminToken(database, source);
      await completeTarget(database, movedSums);
    }
    const verified = await verifyTarget(database);
    if (!wasComplete) requireSameLedger(source.verified, verified);
    return { moved, wasComplete, verified };
  } finally {
    await database.close();
    source.close();
  }
}

/** Fails within seconds if the database cannot be reached. */
async function tryConnection(url: string): Promise<void> {
  const database = new Database({ url, maxConnections: 1 });
  try {
    await database.first('SELECT 1');
  } finally {
    await database.close();
  }
}

/** The token of the data directory stays valid. A configured token counts instead. */
async function keepAdminToken(database: Database, { adminToken }: OpenedSource): Promise<void> {
  if (adminToken === undefined) return;
  await database.run('UPDATE installation SET admin_token_hash = $1 WHERE admin_token_hash IS NULL', [
    hashKey(adminToken),
  ]);
}

async function verifyTarget(database: Database): Promise<VerifiedLedger> {
  const care = new PostgresLedgerCare(database);
  const lastEntry = await care.lastEntry();
  return verifyLedger({
    ledgerAccounts: (page) => care.ledgerAccounts(page),
    verifyAccount: (id, upTo) => care.verifyAccount(id, upTo),
    verifyStore: () => care.verifyStore(),
    lastEntry: () => lastEntry,
  });
}

function requireSameLedger(source: VerifiedLedger, target: VerifiedLedger): void {
  const isSame = source.accounts === target.accounts && source.entries === target.entries;
  if (isSame && target.faults.length === 0) return;
  throw new Unavailable(
    `The ledger of the database has ${counted(target.faults.length, 'fault')}, and ${target.entries} of ${counted(source.entries, 'entry', 'entries')}`,
    'keep the data directory in use, and report this',
  );
}
