import { openPostgresForTest } from './postgres/testing/open-postgres-for-test.ts';
import { openSqliteForTest } from './sqlite/testing/open-sqlite-for-test.ts';
import { describeStore } from './testing/conformance/describe-store.ts';
import type { OpenStore } from './testing/conformance/store-test.ts';

const implementations: { name: string; open: OpenStore }[] = [
  { name: 'SQLite', open: openSqliteForTest },
  { name: 'Postgres', open: openPostgresForTest },
];

for (const { name, open } of implementations) describeStore(name, open);
