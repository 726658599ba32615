import { readFileSync } from 'node:fs';
import { listenOnPortOf } from './listen-on-port-of.ts';

// Preloaded into the gateway. Reports on a separate port the longest stall of the event loop and the
// peak memory since the last report.

const TICK_MS = 4;

/**
 * The CPU time of this thread in milliseconds.
 * Wall time would include waits for other processes on a busy machine.
 */
const cpuMs = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1_000_000;

const strain = { stallMs: 0, stallCpuMs: 0, peakMb: 0 };
let tickedAt = performance.now();
let tickedCpu = cpuMs();

const residentMb = (): number => process.memoryUsage.rss() / 1_048_576;

setInterval(() => {
  const now = performance.now();
  const cpu = cpuMs();
  strain.stallMs = Math.max(strain.stallMs, now - tickedAt - TICK_MS);
  strain.stallCpuMs = Math.max(strain.stallCpuMs, cpu - tickedCpu);
  strain.peakMb = Math.max(strain.peakMb, residentMb());
  tickedAt = now;
  tickedCpu = cpu;
}, TICK_MS).unref();

listenOnPortOf('STRAIN_PORT', () => {
  const reported = Response.json({ ...strain, residentMb: residentMb() });
  Object.assign(strain, { stallMs: 0, stallCpuMs: 0, peakMb: 0 });
  return reported;
});
