import { availableParallelism, cpus, loadavg, release } from 'node:os';
import type { MachineFacts } from './benchmark-report.ts';
import { findHaproxy } from './peers/haproxy.ts';
import { readVersion } from './read-version.ts';

/** Returns the facts about the machine that a report has. */
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
