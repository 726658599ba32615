import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { cacheControl } from './cache-control.ts';

const name = Type.String({ minLength: 1 });

export const functionSchema = Type.Object({
  name,
  description: optional(Type.String()),
  parameters: optional(Type.Object({})),
  strict: optional(Type.Boolean()),
});

const custom = Type.Object({
  name,
  description: optional(Type.String()),
  format: optional(Type.Object({ type: Type.String() })),
});

/** Tools of other types belong to the hosts that support them. */
export const toolSchema = Type.Union([
  Type.Object({ type: Type.Literal('function'), function: functionSchema, ...cacheControl }),
  Type.Object({ type: Type.Literal('custom'), custom, ...cacheControl }),
  Type.Object({ type: Type.String({ pattern: '^(?!(?:function|custom)$)' }) }),
]);

const namedTool = Type.Object({ name });
const modes = ['none', 'auto', 'required'] as const;

export const toolChoiceSchema = Type.Union([
  Type.Enum([...modes]),
  Type.Object({ type: Type.Enum([...modes]) }),
  Type.Object({ type: Type.Literal('function'), function: namedTool }),
  Type.Object({ type: Type.Literal('custom'), custom: namedTool }),
  Type.Object({
    type: Type.Literal('allowed_tools'),
    allowed_tools: Type.Object({
      mode: Type.Enum(['auto', 'required']),
      tools: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('function'), function: namedTool }),
          Type.Object({ type: Type.Literal('custom'), custom: namedTool }),
        ]),
      ),
    }),
  }),
  otherTypeObject([...modes, 'function', 'custom', 'allowed_tools'], 'the type of a tool choice'),
]);

export const functionCallSchema = Type.Union([Type.Enum(['none', 'auto']), namedTool]);
