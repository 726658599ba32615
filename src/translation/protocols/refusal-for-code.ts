import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal, refusedAsInvalid } from '../../base/errors/refusal.ts';

/** Returns the gateway's refusal for an error of an upstream, whose own words go only to the log. */
export const refusalForCode = (code: ErrorCode, cause: unknown): Refusal =>
  code === 'invalid_request' ? refusedAsInvalid(cause) : new Refusal(code, { cause });
