import { optional } from '../../../base/schema/optional.ts';
import { orNull } from '../../../base/schema/or-null.ts';
import { Type } from '../../../base/schema/type.ts';
import { contents } from './content-schema.ts';

const extras = { extra_content: optional(Type.Object({})) };

const call = Type.Union([
  Type.Object({
    id: Type.String({ minLength: 1 }),
    type: Type.Optional(orNull(Type.Literal('function'))),
    function: Type.Object({ name: Type.String(), arguments: Type.String() }),
    ...extras,
  }),
  Type.Object({
    id: Type.String({ minLength: 1 }),
    type: Type.Literal('custom'),
    custom: Type.Object({ name: Type.String({ minLength: 1 }), input: Type.String() }),
    ...extras,
  }),
]);

const assistant = Type.Object({
  role: Type.Literal('assistant'),
  content: contents.assistant,
  refusal: optional(Type.String()),
  tool_calls: optional(Type.Array(call)),
  function_call: optional(Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() })),
  reasoning_content: optional(Type.String()),
  reasoning: optional(Type.String()),
  reasoning_details: optional(Type.Array(Type.Object({}))),
});

export const messageSchema = Type.Union([
  Type.Object({ role: Type.Enum(['system', 'developer']), content: contents.guidance }),
  Type.Object({ role: Type.Literal('user'), content: contents.user }),
  assistant,
  Type.Object({
    role: Type.Literal('tool'),
    content: contents.result,
    tool_call_id: Type.String({ minLength: 1 }),
  }),
  Type.Object({
    role: Type.Literal('function'),
    content: contents.result,
    name: Type.String({ minLength: 1 }),
  }),
]);
