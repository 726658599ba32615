import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startMeasured } from './run-command.mjs';

const PROGRAM = join('test', 'support', 'postgres', 'serve-postgres.ts');

/**
 * Starts one Postgres for all of these test files if one of them needs it. It ends when this process ends.
 * `stop` ends it earlier, and resolves to its CPU time in milliseconds.
 */
export async function startPostgres(files, { root, runtime }) {
  const none = { environment: {}, stop: async () => 0 };
  const isNeeded = files.some((file) => /postgres/i.test(readFileSync(join(root, file), 'utf8')));
  if (!isNeeded || process.env.TOLLGATE_TEST_POSTGRES) return none;
  const { child, cpuMs } = startMeasured(runtime, [PROGRAM], { root, stdin: 'pipe' });
  let reason = '';
  child.stderr.on('data', (bytes) => {
    reason += bytes;
  });
  child.on('error', () => {});
  for await (const line of createInterface({ input: child.stdout })) {
    child.unref();
    for (const stream of child.stdio) stream.unref();
    const stop = async () => {
      const closed = once(child, 'close');
      child.ref();
      child.stdin.end();
      await closed;
      return cpuMs();
    };
    return { environment: JSON.parse(line), stop };
  }
  const [sentence = 'it ended'] = /(?<=error: ).*/.exec(reason) ?? [];
  console.log(`Postgres could not be started for the tests: ${sentence}`);
  return none;
}
