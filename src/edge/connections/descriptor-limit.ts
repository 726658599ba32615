import { readFileSync } from 'node:fs';

/**
 * Returns the number of descriptors that the process may have, or undefined if the system does not reveal it.
 */
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
