import type { TSchema } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { createValidator } from '../../base/schema/validator.ts';
import { SECRET_FIELDS } from '../../settings/config/secret-fields.ts';

/**
 * Creates a check that refuses an invalid value with its first problem and the path of the field. A message
 * never quotes a secret.
 */
export function createCheck(schema: TSchema, subject: string): (value: unknown) => Refusal | undefined {
  const validate = createValidator(schema, (path) => path.some((step) => SECRET_FIELDS.has(step)));
  return (value) => {
    const problem = validate(value);
    if (problem === undefined) return undefined;
    const param = formatPath(problem.path);
    const message = `${param === '' ? subject : param} ${problem.message}.`;
    return new Refusal('invalid_request', { message, param: param || null });
  };
}
