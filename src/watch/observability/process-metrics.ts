import { version, versionDate } from '../../base/build/version.ts';
import { createResidentBytes } from '../../base/memory/create-resident-bytes.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import type { Metric } from './metric.ts';
import { ReadMetric, single } from './read-metric.ts';

export const processMetrics = (eventLoop: EventLoopWatch): Metric[] => [
  new ReadMetric(
    {
      name: 'tollgate_build_info',
      help: 'The version and commit of the gateway, and the version of its runtime. The value is always 1.',
      labels: ['version', 'commit_date', 'bun_version'],
    },
    () => [[[version, versionDate, Bun.version], 1]],
  ),
  single(
    {
      name: 'tollgate_event_loop_delay_seconds',
      help: 'Longest event loop delay in the last ten seconds.',
    },
    () => eventLoop.longestMs / 1_000,
  ),
  single(
    { name: 'process_start_time_seconds', help: 'Start time of the process, in seconds since 1970.' },
    () => Math.round(performance.timeOrigin) / 1_000,
  ),
  single(
    { name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' },
    createResidentBytes(),
  ),
  single(
    { name: 'process_cpu_seconds_total', help: 'User and system CPU time of the process.' },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    'counter',
  ),
];
