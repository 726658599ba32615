import type { Static, TSchema } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { createValidator } from '../../base/schema/validator.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { AdminDependencies } from './admin-dependencies.ts';

export type CheckedBody<Schema extends TSchema> = {
  (exchange: Exchange, readBody: AdminDependencies['readBody']): Promise<Static<Schema> | Refusal>;
  readonly schema: Schema;
};

/** Creates a reader for bodies of a schema. An invalid body is refused with its first problem and the path of the field. */
export function checkedBody<Schema extends TSchema>(schema: Schema): CheckedBody<Schema> {
  const validate = createValidator(schema);
  const read = async (exchange: Exchange, readBody: AdminDependencies['readBody']) => {
    const body = await readBody(exchange);
    if (body instanceof Refusal) return body;
    const problem = validate(body.value);
    if (problem === undefined) return body.value as Static<Schema>;
    const param = formatPath(problem.path);
    const subject = param === '' ? 'The body' : param;
    return new Refusal('invalid_request', {
      message: `${subject} ${problem.message}.`,
      param: param || null,
    });
  };
  return Object.assign(read, { schema });
}
