import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** Where a container's limit stands: control groups of version 2, then of version 1. */
const LIMIT_FILES = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

/** What the process may use: its container's limit where there is one, else what the machine has. */
export function memoryLimitBytes(read: (file: string) => string = readText, machine = totalmem()): number {
  const limits = LIMIT_FILES.map((file) => Number.parseInt(read(file), 10)).filter((bytes) => bytes > 0);
  return Math.min(machine, ...limits);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
