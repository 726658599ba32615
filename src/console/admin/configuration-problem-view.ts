import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** A problem of a configuration, with its place in the text. */
export const problem = Type.Object({
  line: orNull(Type.Integer()),
  column: orNull(Type.Integer()),
  field: Type.String(),
  message: Type.String(),
});

/** Shows a problem without the name of its file. */
export const problemView = ({ line, column, field, message }: ConfigProblem): ViewOf<typeof problem> => ({
  line,
  column,
  field,
  message,
});
