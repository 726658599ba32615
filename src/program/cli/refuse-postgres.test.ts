import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from './testing/run-captured.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-refuse-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'tollgate.yaml');
writeFileSync(file, 'store: { database_url: "postgres://tollgate:hidden-word@127.0.0.1/tollgate" }\n');

test.each([
  ['backup', 'pg_dump'],
  ['restore', 'pg_restore'],
])('%s refuses to run if the configuration file names a Postgres database', async (command, tool) => {
  const { code, remarked } = await runCaptured([command, join(directory, 'copy')], { TOLLGATE_CONFIG: file });
  expect(code).toBe(1);
  expect(remarked).toContain(`store.database_url of ${file} is set`);
  expect(remarked).toContain(`use ${tool}`);
  expect(remarked).not.toContain('hidden-word');
});

test('--data names the directory of an embedded store in spite of the file', async () => {
  const args = ['backup', join(directory, 'copy'), '--data', join(directory, 'none')];
  const { remarked } = await runCaptured(args, { TOLLGATE_CONFIG: file });
  expect(remarked).not.toContain('pg_dump');
});
