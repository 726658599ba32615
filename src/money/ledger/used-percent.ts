/** Returns the used share of a period's credits in percent, with one decimal. It is 0 without a limit. */
export function usedPercent(usedMicrocredits: number, givenMicrocredits: number | null): number {
  if (givenMicrocredits === null) return 0;
  if (givenMicrocredits <= 0) return 100;
  return Math.round((usedMicrocredits / givenMicrocredits) * 1_000) / 10;
}
