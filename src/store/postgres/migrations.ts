import type { PostgresMigration } from './migration.ts';
import { installation } from './migrations/001-installation.ts';
import { ledger } from './migrations/011-ledger.ts';
import { nodes } from './migrations/020-nodes.ts';
import { providerShares } from './migrations/021-provider-shares.ts';

/** All migrations in the order of their numbers. */
export const migrations: readonly PostgresMigration[] = [installation, ledger, nodes, providerShares];
