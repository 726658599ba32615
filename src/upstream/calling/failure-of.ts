import { CallAbandoned, CallTimedOut, NoMemoryForAnswer } from '../http-client/http-answer.ts';
import { LocallyStarved } from '../http-client/local-resources.ts';
import {
  abandonedFailure,
  connectionFailure,
  localFailure,
  memoryFailure,
  timeoutFailure,
} from './failures.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** Returns the failure of a call that ended with an error of the HTTP client. */
export function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof CallTimedOut) return timeoutFailure(error.message);
  if (error instanceof LocallyStarved) return localFailure(error);
  if (error instanceof NoMemoryForAnswer) return memoryFailure(error);
  return error instanceof CallAbandoned ? abandonedFailure(error) : connectionFailure(error);
}
