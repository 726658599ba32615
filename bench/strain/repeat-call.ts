/** Repeats a call at intervals until it is stopped. Returns the times of the calls, in order of length. */
export function repeatCall(call: () => Promise<number>, everyMs: number) {
  const took: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      took.push(await call());
      await Bun.sleep(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return took.sort((a, b) => a - b);
  };
}

/** The time that this share of the calls stays below, in milliseconds. */
export const shareOf = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
