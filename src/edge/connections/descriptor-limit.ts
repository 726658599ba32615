import { readFileSync } from 'node:fs';

/** How many descriptors the process may have; undefined where the system does not tell. */
export function descriptorLimit(read: () => string = readLimits): number | undefined {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(read())?.[1]);
  return Number.isInteger(limit) ? limit : undefined;
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
