import type { PostgresMigration } from './migration.ts';
import { installation } from './migrations/001-installation.ts';
import { gate } from './migrations/010-gate.ts';
import { ledger } from './migrations/011-ledger.ts';

/** All migrations in the order of their numbers. */
export const migrations: readonly PostgresMigration[] = [installation, gate, ledger];
