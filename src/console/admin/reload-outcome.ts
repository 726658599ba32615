import { Type } from '../../base/schema/type.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** The answer of a reload that succeeded. */
export const reloaded = Type.Object({
  reloaded: Type.Literal(true),
  generation: Type.Integer(),
  restart_needed: Type.Array(Type.String(), {
    description: 'Changed settings that take effect at the next start.',
  }),
  warnings: Type.Array(Type.String(), { description: 'Settings that are valid but probably unintended.' }),
});
export type Reloaded = ViewOf<typeof reloaded>;
export type ReloadOutcome = Reloaded | { problems: readonly string[] };
