import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf } from '../../../base/json/read-json.ts';

const OVERLOADED = new Set(['upstream_overloaded', 'capacity_unavailable']);

const errorOf = (refusal: Refusal): JsonObject => objectOf(errorEnvelope('openai', refusal).error);

/** Returns the members of an `error` event. Some clients read them from the event, others from `error`. */
export function errorEvent(refusal: Refusal) {
  const error = errorOf(refusal);
  const { code, message, param } = error;
  return { code, message, param, error };
}

/**
 * Returns the error of a failed response. Its code is one of the vendor's list, since typed clients reject
 * any other. The `error` event before it has the gateway's own code.
 */
export const failedError = (refusal: Refusal): JsonObject => ({
  ...errorOf(refusal),
  code: vendorCode(refusal),
});

function vendorCode({ code, status }: Refusal): string {
  if (status === 429 || OVERLOADED.has(code)) return 'rate_limit_exceeded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
