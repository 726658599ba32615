/** A number with decimals after a point or a comma. */
const DECIMAL = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i;

/** A comma that separates decimals in some countries and thousands in others. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads an amount that a person has typed: `12.50` or `12,50`. Returns undefined for texts that are no
 * number, for numbers that are too large, and for texts that have two readings, such as `1,000`.
 */
export function parseDecimal(text: string): number | undefined {
  const typed = text.trim();
  if (!DECIMAL.test(typed) || AMBIGUOUS.test(typed)) return undefined;
  const number = Number(typed.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}
