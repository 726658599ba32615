/** The pages are in English, whatever the language of the browser is. */
export const LOCALE = 'en-US';

/** The text for a value that is missing. */
export const NO_VALUE = '–';

export type Maybe<Value> = Value | null | undefined;

/** Formats a value, or returns a dash for none. */
export const orDash = <Value>(value: Maybe<Value>, format: (value: Value) => string): string =>
  value === null || value === undefined ? NO_VALUE : format(value);

/** Formats a number with a bounded number of decimals. */
export const withDecimals = (value: number, min: number, max: number): string =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: min, maximumFractionDigits: max });
