// Preloaded into the gateway. Reports on a separate port the longest stall of the event loop and the peak
// memory since the last report.
import { readFileSync } from 'node:fs';
import { listenOnPortOf } from './listen-on-port-of.ts';

const TICK_MS = 4;
const NO_STRAIN = { stallMs: 0, stallCpuMs: 0, peakMb: 0 };

/** Returns the CPU time of this thread. Wall time also has the waits for other processes. */
const cpuMs = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1_000_000;

/** The longest stall and the largest memory since the last report, and the memory now. */
export type Strain = { stallMs: number; stallCpuMs: number; peakMb: number; residentMb: number };

const strain = { ...NO_STRAIN };
let tickedAt = performance.now();
let tickedCpuMs = cpuMs();

const residentMb = (): number => process.memoryUsage.rss() / 1_048_576;

setInterval(() => {
  const now = performance.now();
  const usedCpuMs = cpuMs();
  // The wait for the tick counts as time, and takes no CPU time.
  strain.stallMs = Math.max(strain.stallMs, now - tickedAt - TICK_MS);
  strain.stallCpuMs = Math.max(strain.stallCpuMs, usedCpuMs - tickedCpuMs);
  strain.peakMb = Math.max(strain.peakMb, residentMb());
  tickedAt = now;
  tickedCpuMs = usedCpuMs;
}, TICK_MS).unref();

listenOnPortOf('STRAIN_PORT', () => {
  const report: Strain = { ...strain, residentMb: residentMb() };
  Object.assign(strain, NO_STRAIN);
  return Response.json(report);
});
