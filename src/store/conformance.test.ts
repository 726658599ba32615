import { openPostgresForTest } from './postgres/testing/open-postgres-for-test.ts';
import { openSqliteForTest } from './sqlite/testing/open-sqlite-for-test.ts';
import { describeAccountStore } from './testing/conformance/conformance.ts';
import type { OpenStore } from './testing/conformance/store-test.ts';

const implementations: { name: string; open: OpenStore }[] = [
  { name: 'SQLite', open: openSqliteForTest },
  { name: 'Postgres', open: openPostgresForTest },
];

for (const { name, open } of implementations) describeAccountStore(name, open);
