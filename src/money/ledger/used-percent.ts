/** The share of a period's credits that is used, with one decimal; without a limit nothing is. */
export function usedPercent(usedMicrocredits: number, givenMicrocredits: number | null): number {
  if (givenMicrocredits === null) return 0;
  if (givenMicrocredits <= 0) return 100;
  return Math.round((usedMicrocredits / givenMicrocredits) * 1_000) / 10;
}
