/** Returns the message of an error, or the text of any other thrown value. */
export const messageOfError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
