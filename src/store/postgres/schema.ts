import { functions } from './functions.ts';
import { migrations } from './migrations.ts';
import type { PostgresSchema } from './postgres-migration.ts';

export const schema: PostgresSchema = { migrations, functions };
