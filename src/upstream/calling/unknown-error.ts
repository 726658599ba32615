import type { UpstreamError } from '../../base/errors/upstream-error.ts';

/** Returns an error of which an upstream has said no more than this. */
export const unknownError = (known: Partial<UpstreamError> = {}): UpstreamError => ({
  status: null,
  type: null,
  code: null,
  message: null,
  requestId: null,
  param: null,
  ...known,
});
