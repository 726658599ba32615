/** The classes of HTTP statuses, by their first digit. */
const classes = ['', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export const statusDigitOf = (status: number): number => Math.trunc(status / 100);

/** Returns the class of a status, such as `4xx`. The class of 0 and of impossible statuses is ''. */
export const statusClassOf = (status: number): string => classes[statusDigitOf(status)] ?? '';
