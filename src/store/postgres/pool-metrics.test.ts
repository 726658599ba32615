import { expect, test } from 'bun:test';
import { PoolMetrics } from '../../watch/observability/pool-metrics.ts';
import { openDatabase } from './open-database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

test('the metrics count connections, waits, named statements and failures', async () => {
  const url = await (await postgresForTest()).create();
  const metrics: PoolMetrics = new PoolMetrics(() => database.counts);
  const settings = { database_url: url, listen_url: null, connections: 1, prepare: true };
  const database = openDatabase(settings, metrics);
  const call = { name: 'gate', operations: 3 };
  await Promise.all([database.all('SELECT 1', [], call), database.all('SELECT 1', [], call)]);
  await database.all('SELECT pg_sleep(600)', [], { deadlineMs: 60 }).catch(() => {});
  const text = metrics.all.map((metric) => metric.format()).join('');
  for (const line of [
    'tollgate_store_pool_connections 0',
    'tollgate_store_pool_waiting 0',
    'tollgate_store_pool_expired_total 1',
    'tollgate_store_pool_wait_seconds_count 3',
    'tollgate_store_pool_statement_duration_seconds_count{statement="gate"} 2',
    'tollgate_store_pool_statement_operations_sum{statement="gate"} 6',
  ])
    expect(text).toContain(`${line}\n`);
  await database.close();
});

test('the metrics count failed attempts to connect', async () => {
  const metrics: PoolMetrics = new PoolMetrics(() => database.counts);
  const database_url = 'postgres://u:p@127.0.0.1:1/d';
  const database = openDatabase({ database_url, listen_url: null, connections: 1, prepare: true }, metrics);
  await database.all('SELECT 1', [], { deadlineMs: 100 }).catch(() => {});
  const text = metrics.all.map((metric) => metric.format()).join('');
  expect(text).toMatch(/tollgate_store_pool_connect_failures_total [1-9]/);
  await database.close();
});
