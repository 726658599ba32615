/** Adds one to the count under a name. */
export function countUp(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
