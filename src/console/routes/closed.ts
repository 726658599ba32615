/** The options of an object without further fields, so that a misspelled field is refused. */
export const closed = { additionalProperties: false };
