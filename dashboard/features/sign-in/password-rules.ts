/** The least length that the server accepts. */
export const LEAST_PASSWORD = 10;
export const PASSWORD_HINT = `At least ${LEAST_PASSWORD} characters. A sentence is easier to remember than a word.`;
