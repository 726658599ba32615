/** Rounds milliseconds to tenths, for log lines and records. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;
