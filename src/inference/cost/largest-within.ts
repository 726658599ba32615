/**
 * Returns the largest whole number up to `limit` for which `isWithin` holds, or -1 if there is none. It must
 * hold for all smaller ones.
 */
export function largestWithin(limit: number, isWithin: (number: number) => boolean): number {
  if (isWithin(limit)) return limit;
  let low = -1;
  let high = limit;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return low;
}
