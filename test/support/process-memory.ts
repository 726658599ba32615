import { readFileSync, writeFileSync } from 'node:fs';

/** Reads a figure of a process from the kernel, in MB. */
const figureMb = (pid: number, name: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) /
  1_024;

/** Returns the resident memory of a process. */
export const residentMb = (pid: number): number => figureMb(pid, 'VmRSS');

/** Returns the most that a process has held since `forgetPeak`. No sampling can miss it. */
export const peakMb = (pid: number): number => figureMb(pid, 'VmHWM');

/** Starts the measurement of `peakMb` again. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
