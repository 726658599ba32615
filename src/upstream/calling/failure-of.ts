import { CallForsaken, CallTimedOut, NoMemoryForAnswer } from '../http-client/http-answer.ts';
import { LocallyStarved } from '../http-client/local-resources.ts';
import {
  broken,
  forsaken,
  noMemoryFor,
  starved,
  timedOut,
  type UpstreamFailure,
} from './upstream-failure.ts';

/** Returns the failure of a call that ended with an error of the HTTP client. */
export function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof CallTimedOut) return timedOut(error.message);
  if (error instanceof LocallyStarved) return starved(error);
  if (error instanceof NoMemoryForAnswer) return noMemoryFor(error);
  return error instanceof CallForsaken ? forsaken(error) : broken(error);
}
