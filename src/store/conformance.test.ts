import type { OpenStore } from './conformance/store-test.ts';
import { describeAccountStore } from './conformance.ts';
import { openPostgresForTest } from './postgres/testing/open-postgres-for-test.ts';
import { openSqliteForTest } from './sqlite/open-sqlite-for-test.ts';

const implementations: { name: string; open: OpenStore }[] = [
  { name: 'SQLite', open: openSqliteForTest },
  { name: 'Postgres', open: openPostgresForTest },
];

for (const { name, open } of implementations) describeAccountStore(name, open);
