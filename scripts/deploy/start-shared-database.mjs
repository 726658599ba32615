import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureRuntime } from '../runtime.mjs';

const PROGRAM = join('test', 'support', 'postgres', 'serve-postgres.ts');

/** Starts a Postgres, and returns its address and how to stop it. */
export async function startSharedDatabase(root) {
  const child = spawn(ensureRuntime({ withDevelopment: true }), [PROGRAM], { cwd: root });
  let reason = '';
  child.stderr.on('data', (text) => {
    reason += text;
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { url: JSON.parse(line).TOLLGATE_TEST_POSTGRES, stop: () => child.stdin.end() };
  throw new Error(`Postgres could not be started: ${reason}`);
}
