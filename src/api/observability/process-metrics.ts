import packageFile from '../../../package.json' with { type: 'json' };
import { createResidentBytes } from '../../base/memory/resident-bytes.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import { Gauge, type Metric, single } from './metrics.ts';

/** The metrics of the process. */
export const processMetrics = (eventLoop: Pick<EventLoopWatch, 'longestMs'>): Metric[] => [
  new Gauge(
    {
      name: 'tollgate_build_info',
      help: 'The version of the gateway and of its runtime. The value is always 1.',
      labels: ['version', 'bun_version'],
    },
    () => [[[packageFile.version, Bun.version], 1]],
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
