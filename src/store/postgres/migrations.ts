import type { PostgresMigration } from './migration.ts';
import { installation } from './migrations/001-installation.ts';
import { batches } from './migrations/004-batches.ts';
import { ledger } from './migrations/011-ledger.ts';

/** All migrations in the order of their numbers. */
export const migrations: readonly PostgresMigration[] = [installation, batches, ledger];
