import type { PostgresMigration } from './migration.ts';
import { installation } from './migrations/001-installation.ts';
import { ledger } from './migrations/011-ledger.ts';
import { ledgerCare } from './migrations/012-ledger-care.ts';

/** All migrations in the order of their numbers. */
export const migrations: readonly PostgresMigration[] = [installation, ledger, ledgerCare];
