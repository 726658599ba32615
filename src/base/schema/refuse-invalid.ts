import { invalidParam } from '../errors/invalid-param.ts';
import type { Refusal } from '../errors/refusal.ts';
import { formatPath } from './format-path.ts';
import type { Validator } from './validator.ts';

/** Returns a refusal that names the first invalid field. Returns undefined if the value is valid. */
export function refuseInvalid(value: unknown, validate: Validator): Refusal | undefined {
  const invalid = validate(value);
  return invalid && invalidParam(formatPath(invalid.path), invalid.message);
}
