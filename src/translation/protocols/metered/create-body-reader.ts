import type { Static, TSchema } from 'typebox';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';

/** Creates a function that returns a body's value with its type, or a refusal of its first invalid field. */
export function createBodyReader<Schema extends TSchema>(schema: Schema) {
  const validate = createValidator(schema);
  return ({ value }: JsonBody): Static<Schema> | Refusal =>
    refuseInvalid(value, validate) ?? (value as Static<Schema>); // the schema has this type
}
