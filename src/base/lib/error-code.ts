/** Returns the code of an error, such as ENOENT or a SQLSTATE. The number of a `DOMException` is not one. */
export function codeOfError(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns the code of an error, or its text if it has no code. */
export const codeOrText = (error: unknown): string => codeOfError(error) ?? String(error);
