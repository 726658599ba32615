import { join } from 'node:path';
import { endWithUs } from '../../support/end-with-us.ts';

/**
 * Starts a program of this folder in a process that sends and receives messages. The process ends with this
 * one.
 */
export function spawnProcess(name: string, niceness: number, onMessage: (message: unknown) => void) {
  const child = Bun.spawn(
    ['nice', '-n', String(niceness), process.execPath, join(import.meta.dir, `${name}.ts`)],
    {
      env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' },
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: onMessage,
      serialization: 'json',
    },
  );
  endWithUs(child);
  return child;
}
