import { availableParallelism, cpus, loadavg, release } from 'node:os';
import type { MachineFacts } from './benchmark-report.ts';
import { findHaproxy } from './peers/haproxy.ts';

function readFirstLine(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { timeout: 5_000 });
  return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
}

const shorten = (line: string) => /\d+\.\d+[\w.+-]*/.exec(line)?.[0] ?? line;

/** Returns the version in the first line that a command prints. */
export const readVersion = (command: string[]): string => shorten(readFirstLine(command));

export function readMachineFacts(): MachineFacts {
  const haproxy = findHaproxy();
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    kernel: release(),
    bun: Bun.version,
    node: Bun.which('node') === null ? null : readVersion(['node', '--version']),
    wrk: readVersion(['wrk', '--version']),
    haproxy: haproxy === null ? null : readVersion([haproxy, '-v']),
    loadAverage: loadavg()[0] ?? 0,
  };
}
