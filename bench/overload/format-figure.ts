export const formatMilliseconds = (value: number): string => `${value.toFixed(0)} ms`;
export const formatRatio = (one: number, other: number): string =>
  other > 0 ? (one / other).toFixed(2) : '–';
