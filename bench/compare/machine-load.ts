import { readFileSync } from 'node:fs';
import { readProcessUsage } from '../process-usage.ts';

type CpuTimes = { busyUs: number; totalUs: number };

const tickUs = 10_000;

/**
 * Parses the first line of /proc/stat. Interrupts do not count as busy, because the kernel gives the network
 * traffic of the benchmark itself to no process. Time that a hypervisor gave to others counts.
 */
export function parseCpuTimes(stat: string): CpuTimes {
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupt = 0, softInterrupt = 0, steal = 0] =
    stat.split('\n')[0]!.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + steal;
  return { busyUs: busy * tickUs, totalUs: (busy + idle + wait + interrupt + softInterrupt) * tickUs };
}

/** The CPU times of the machine, and the time of the benchmark with all of its processes. */
type Sample = CpuTimes & { ownUs: number };

const readSample = (): Sample => ({
  ...parseCpuTimes(readFileSync('/proc/stat', 'latin1')),
  ownUs: readProcessUsage(process.pid).cpuUs,
});

/**
 * Returns the share of the machine's CPU time that processes outside of the benchmark used between two
 * samples.
 */
export function foreignShareOf(before: Sample, after: Sample): number {
  const foreign = after.busyUs - before.busyUs - (after.ownUs - before.ownUs);
  return Math.min(1, Math.max(0, foreign / Math.max(tickUs, after.totalUs - before.totalUs)));
}

/** Watches for work of other processes. */
export class MachineLoad {
  #last = readSample();

  /** Returns the share of the CPU time that other processes used since the last call. */
  foreignShare(): number {
    const now = readSample();
    const share = foreignShareOf(this.#last, now);
    this.#last = now;
    return share;
  }
}
