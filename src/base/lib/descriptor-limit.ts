import { readFileSync } from 'node:fs';

/**
 * Returns the number of descriptors that the process may have. Undefined if the system does not reveal it.
 */
export function descriptorLimit(limits = readLimits()): number | undefined {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return Number.isInteger(limit) ? limit : undefined;
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
