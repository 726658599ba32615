import { type VerifiedLedger, verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { StoreProblem } from '../../store/store-problem.ts';
import { CommandFailure } from './command-failure.ts';

/**
 * Verifies the ledger of a Postgres database from this process. The nodes of the database can run meanwhile.
 */
export async function verifyDatabase(url: string): Promise<VerifiedLedger> {
  const { Database } = await import('../../store/postgres/database.ts');
  const { PostgresLedgerCare } = await import('../../store/postgres/care/postgres-ledger-care.ts');
  const { refuseOlderSchema } = await import('../../store/postgres/migrate.ts');
  const { migrations } = await import('../../store/postgres/migrations.ts');
  const database = openDatabase(() => new Database({ url, maxConnections: 2 }));
  try {
    const row = await database.first(`SELECT to_regclass('usage_watermark') IS NOT NULL AS is_there`);
    if (row?.is_there !== true)
      throw new CommandFailure('the database has no ledger of Tollgate: start a node on it once');
    await refuseOlderSchema(database, migrations);
    return await verifyLedger(new PostgresLedgerCare(database));
  } catch (error) {
    throw error instanceof StoreProblem ? new CommandFailure(error.sentence) : error;
  } finally {
    await database.close();
  }
}

/** The address can have a password, so a message does not repeat it. */
function openDatabase<T>(open: () => T): T {
  try {
    return open();
  } catch {
    throw new CommandFailure('the address of the database is not valid: it must begin with postgres://');
  }
}
