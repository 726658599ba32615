import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFirstLine } from './read-first-line.mjs';
import { startMeasured } from './run-command.mjs';

const PROGRAM = join('test', 'support', 'postgres', 'serve-postgres.ts');

/** A test that uses Postgres imports a file whose name says so. */
const mentionsPostgres = (path) => /postgres/i.test(readFileSync(path, 'utf8'));

/**
 * Starts one Postgres if one of the test files mentions it. The server stops when this process ends, or
 * earlier with `stop()`. `stop()` resolves to the CPU time of Postgres in milliseconds.
 */
export async function startPostgres(files, { root, runtime }) {
  const none = { environment: {}, stop: async () => 0 };
  const isNeeded = files.some((file) => mentionsPostgres(join(root, file)));
  if (!isNeeded || process.env.TOLLGATE_TEST_POSTGRES) return none;
  const { child, cpuMs } = startMeasured(runtime, [PROGRAM], { root, stdin: 'pipe' });
  // The process can end before `stop()`.
  const closed = new Promise((resolve) => child.once('close', resolve));
  let stderr = '';
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  child.on('error', () => {});
  // The program prints the environment of the tests once Postgres accepts connections.
  const line = await readFirstLine(child.stdout);
  if (line === undefined) {
    const message = /(?<=error: ).*/.exec(stderr)?.[0] ?? 'the process ended';
    console.log(`Postgres could not be started for the tests: ${message}`);
    return none;
  }
  child.unref();
  for (const stream of child.stdio) stream.unref();
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await closed;
    return cpuMs();
  };
  return { environment: JSON.parse(line), stop };
}
