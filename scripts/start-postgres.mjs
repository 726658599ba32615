import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join('test', 'support', 'postgres', 'serve-postgres.ts');

/** Starts one Postgres for all of these test files if one of them needs it. It ends when this process ends. */
export async function startPostgres(files, { root, runtime }) {
  const isNeeded = files.some((file) => /postgres/i.test(readFileSync(join(root, file), 'utf8')));
  if (!isNeeded || process.env.TOLLGATE_TEST_POSTGRES) return {};
  const child = spawn(runtime, [PROGRAM], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  let reason = '';
  child.stderr.on('data', (bytes) => {
    reason += bytes;
  });
  child.on('error', () => {});
  for await (const line of createInterface({ input: child.stdout })) {
    child.unref();
    for (const stream of child.stdio) stream.unref();
    return { TOLLGATE_TEST_POSTGRES: line };
  }
  const [sentence = 'it ended'] = /(?<=error: ).*/.exec(reason) ?? [];
  console.log(`Postgres could not be started for the tests: ${sentence}`);
  return {};
}
