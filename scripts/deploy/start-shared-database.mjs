import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readFirstLine } from '../read-first-line.mjs';
import { ensureRuntime } from '../runtime.mjs';

const PROGRAM = join('test', 'support', 'postgres', 'serve-postgres.ts');

/** Starts a Postgres, and returns its address and how to stop it. */
export async function startSharedDatabase(root) {
  const child = spawn(ensureRuntime({ withDevelopment: true }), [PROGRAM], { cwd: root });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const line = await readFirstLine(child.stdout);
  if (line === undefined) throw new Error(`Postgres could not be started: ${stderr}`);
  return { url: JSON.parse(line).TOLLGATE_TEST_POSTGRES, stop: () => child.stdin.end() };
}
