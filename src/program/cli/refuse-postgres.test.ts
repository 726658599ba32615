import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from './testing/run-captured.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);
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

test.each(['backup', 'restore'])('%s refuses to run if DATABASE_URL is set', async (command) => {
  const environment = { DATABASE_URL: 'postgres://tollgate:hidden-word@127.0.0.1/tollgate' };
  const { code, remarked } = await runCaptured([command, join(directory, 'copy')], environment);
  expect({ code, remarked }).toEqual({
    code: 1,
    remarked: expect.stringMatching(/^tollgate: DATABASE_URL is set, .*pg_dump/),
  });
});

test('--data names the directory of an embedded store in spite of the settings', async () => {
  const args = ['backup', join(directory, 'copy'), '--data', join(directory, 'none')];
  for (const environment of [{ TOLLGATE_CONFIG: file }, { DATABASE_URL: 'postgres://127.0.0.1/tollgate' }])
    expect((await runCaptured(args, environment)).remarked).toContain('tollgate.db does not exist');
});
