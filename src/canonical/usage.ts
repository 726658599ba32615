/**
 * Disjoint counts: each token is in exactly one field, so price × count sums without correction.
 * `undefined` means the upstream did not report it; 0 means it reported none.
 */
export type Usage = {
  input: { uncached: number; cacheRead?: number | undefined; cacheWrite?: number | undefined };
  output: { visible: number; thinking?: number | undefined };
  /** Counted by us, since the upstream did not. */
  isEstimated?: boolean;
};

/** More than a model takes or gives, with ten of the largest windows: what is reported beyond it is no count. */
export const MOST_TOKENS = 100_000_000;

export const inputTotal = ({ input }: Usage): number =>
  input.uncached + (input.cacheRead ?? 0) + (input.cacheWrite ?? 0);

export const outputTotal = ({ output }: Usage): number => output.visible + (output.thinking ?? 0);

/** Of two answers to one request. What neither reported stays unreported. */
export function addUsage(one: Usage, other: Usage): Usage {
  const add = (a?: number, b?: number) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  return {
    input: {
      uncached: one.input.uncached + other.input.uncached,
      cacheRead: add(one.input.cacheRead, other.input.cacheRead),
      cacheWrite: add(one.input.cacheWrite, other.input.cacheWrite),
    },
    output: {
      visible: one.output.visible + other.output.visible,
      thinking: add(one.output.thinking, other.output.thinking),
    },
    ...((one.isEstimated || other.isEstimated) && { isEstimated: true }),
  };
}

/** Counts are cumulative: a later report that says nothing of the input, or less of the output, does not undo an earlier one. */
export const laterUsage = (known: Usage | undefined, told: Usage): Usage =>
  known === undefined
    ? told
    : {
        ...told,
        input: inputTotal(told) > 0 ? told.input : known.input,
        output: outputTotal(told) >= outputTotal(known) ? told.output : known.output,
      };
