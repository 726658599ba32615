import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf } from '../../../base/json/read-json.ts';

const OVERLOADED = new Set(['upstream_overloaded', 'capacity_unavailable']);

/**
 * Returns the error of a failed response. Its code is one of the vendor's list, since typed clients reject
 * any other. The `error` event before it has the gateway's own code.
 */
export const failedError = (refusal: Refusal): Record<string, unknown> => ({
  ...objectOf(errorEnvelope('openai', refusal).error),
  code: vendorCode(refusal),
});

function vendorCode({ code, status }: Refusal): string {
  if (status === 429 || OVERLOADED.has(code)) return 'rate_limit_exceeded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
