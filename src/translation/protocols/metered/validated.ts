import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { formatPath } from '../../../base/schema/format-path.ts';
import type { createValidator } from '../../../base/schema/validator.ts';

export const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

/** Returns a refusal that names the first invalid field. Returns undefined if the body is valid. */
export function invalidField(
  { value }: JsonBody,
  validate: ReturnType<typeof createValidator>,
): Refusal | undefined {
  const problem = validate(value);
  return problem && invalid(formatPath(problem.path), problem.message);
}
