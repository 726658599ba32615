export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const MEGABYTE = 1024 * 1024;

/** Converts a duration of the configuration, which is in seconds. */
export const msOf = (seconds: number): number => seconds * 1_000;
