import { readFileSync, writeFileSync } from 'node:fs';

const figure = (pid: number, name: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

export const residentMb = (pid: number): number => figure(pid, 'VmRSS');

/**
 * The most that a process has held since its peak was forgotten: the kernel's own figure, which no sampling
 * can miss.
 */
export const peakMb = (pid: number): number => figure(pid, 'VmHWM');

export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
