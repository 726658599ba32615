import { availableParallelism, cpus, loadavg, release } from 'node:os';
import type { MachineFacts } from './benchmark-report.ts';
import { findHaproxy } from './peers/haproxy.ts';

function readFirstLine(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { timeout: 5_000 });
  return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
}

const shorten = (line: string) => /\d+\.\d+[\w.+-]*/.exec(line)?.[0] ?? line;

export function readMachineFacts(): MachineFacts {
  const haproxy = findHaproxy();
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    kernel: release(),
    bun: Bun.version,
    node: Bun.which('node') === null ? null : shorten(readFirstLine(['node', '--version'])),
    wrk: shorten(readFirstLine(['wrk', '--version'])),
    haproxy: haproxy === null ? null : shorten(readFirstLine([haproxy, '-v'])),
    loadAverage: loadavg()[0] ?? 0,
  };
}
