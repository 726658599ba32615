/**
 * Disjoint counts: each token is in exactly one field, so price × count sums without correction.
 * `undefined` means the upstream did not report it; 0 means it reported none.
 */
export type Usage = {
  input: { uncached: number; cacheRead?: number | undefined; cacheWrite?: number | undefined };
  output: { visible: number; thinking?: number | undefined };
};

export const inputTotal = ({ input }: Usage): number =>
  input.uncached + (input.cacheRead ?? 0) + (input.cacheWrite ?? 0);

export const outputTotal = ({ output }: Usage): number => output.visible + (output.thinking ?? 0);
