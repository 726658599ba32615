import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { messageContent, outputContent } from './content-schema.ts';

const id = optional(Type.String());
const call_id = Type.String({ minLength: 1 });
const name = Type.String({ minLength: 1 });
const namespace = optional(Type.String());

/**
 * A message, whose type may be absent. The type is an enum instead of a union, so that it still distinguishes
 * messages from other items.
 */
const message = Type.Object({
  type: Type.Optional(Type.Unsafe<string | null>({ enum: ['message', null] })),
  role: Type.Enum(['user', 'assistant', 'system', 'developer']),
  content: Type.Optional(messageContent),
});

const functionCall = Type.Object({
  type: Type.Literal('function_call'),
  id,
  call_id,
  name,
  namespace,
  arguments: Type.String(),
});

const customToolCall = Type.Object({
  type: Type.Literal('custom_tool_call'),
  id,
  call_id,
  name,
  namespace,
  input: Type.String(),
});

/** Results of calls that the vendor tracks itself have no `call_id`. */
const outputs = [
  Type.Object({
    type: Type.Literal('function_call_output'),
    call_id: optional(call_id),
    output: outputContent,
  }),
  Type.Object({ type: Type.Literal('custom_tool_call_output'), call_id, output: outputContent }),
];

const reasoningTexts = optional(Type.Array(Type.Object({ text: Type.String() })));

const reasoning = Type.Object({
  type: Type.Literal('reasoning'),
  id,
  summary: reasoningTexts,
  content: reasoningTexts,
  encrypted_content: optional(Type.String()),
});

const reference = Type.Object({ type: Type.Literal('item_reference'), id: Type.String({ minLength: 1 }) });

const otherItems = [functionCall, customToolCall, ...outputs, reasoning, reference];

/** An item of the input: one that the gateway checks, or one that only the vendor understands. */
export const inputItem = Type.Union([
  message,
  ...otherItems,
  otherTypeObject(['message', ...otherItems], 'the type of an item'),
]);
