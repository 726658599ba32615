import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOfError } from '../../base/lib/error-code.ts';

/** Returns the SQLSTATE of a failed call. The database wraps some errors of the server. */
export const codeOfFailure = (error: unknown): string | undefined =>
  codeOfError(error instanceof Unavailable ? error.cause : error);
