import { functions } from './functions.ts';
import type { PostgresSchema } from './migration.ts';
import { migrations } from './migrations.ts';

export const schema: PostgresSchema = { migrations, functions };
