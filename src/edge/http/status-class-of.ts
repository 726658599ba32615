/** The classes of HTTP statuses, by their first digit. */
const STATUS_CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Returns the first digit of a status, or 0 for a status of 0. */
export const statusDigitOf = (status: number): number => Math.trunc(status / 100);

/** Returns the class of the statuses with a first digit. The class of impossible statuses is ''. */
export const statusClassOfDigit = (digit: number): string => STATUS_CLASSES[digit] ?? '';

/** Returns the class of a status, such as `4xx`. */
export const statusClassOf = (status: number): string => statusClassOfDigit(statusDigitOf(status));
