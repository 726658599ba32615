import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { refuseInvalid } from '../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../base/schema/validator.ts';

/** A check that a schema cannot express: a condition on values, or between fields. */
export type BodyCheck = (body: JsonObject) => Refusal | undefined;

/** Returns the first refusal of a body. The checks may assume a body that fits the schema. */
export function checkBody(
  body: JsonObject,
  validate: Validator,
  checks: readonly BodyCheck[],
): Refusal | undefined {
  const refusal = refuseInvalid(body, validate);
  if (refusal) return refusal;
  for (const check of checks) {
    const refusal = check(body);
    if (refusal) return refusal;
  }
  return undefined;
}
