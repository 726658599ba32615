import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { inputItem } from './input-item.ts';

/** Lists beyond these limits only cost memory. Real prompts are shorter. */
export const MAX_ITEMS = 20_000;
const MAX_TOOLS = 1_000;

const toolName = Type.String({
  pattern: '^[a-zA-Z0-9_-]{1,128}$',
  expected: 'at most 128 letters, digits, dashes and underscores',
});
const description = optional(Type.String());

const functionTool = Type.Object({
  type: Type.Literal('function'),
  name: toolName,
  description,
  parameters: optional(Type.Object({})),
  strict: optional(Type.Boolean()),
});

const customTool = Type.Object({
  type: Type.Literal('custom'),
  name: Type.String({ minLength: 1 }),
  description,
  format: optional(Type.Object({ type: Type.String() })),
});

const namespaceTool = Type.Object({
  type: Type.Literal('namespace'),
  name: Type.String({ minLength: 1 }),
  description,
  tools: Type.Array(
    Type.Union([functionTool, customTool, otherTypeObject([functionTool, customTool], 'the type of a tool')]),
  ),
});

const tool = Type.Union([
  functionTool,
  customTool,
  namespaceTool,
  otherTypeObject([functionTool, customTool, namespaceTool], 'the type of a tool'),
]);

const calledName = { name: Type.String(), namespace: optional(Type.String()) };

const toolChoices = [
  Type.Object({ type: Type.Literal('function'), ...calledName }),
  Type.Object({ type: Type.Literal('custom'), ...calledName }),
  Type.Object({
    type: Type.Literal('allowed_tools'),
    mode: Type.Enum(['auto', 'required']),
    tools: Type.Array(Type.Object({ type: Type.String() })),
  }),
];

const toolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  ...toolChoices,
  otherTypeObject(toolChoices, 'the type of a tool'),
]);

const formats = [
  Type.Object({ type: Type.Literal('text') }),
  Type.Object({ type: Type.Literal('json_object') }),
  Type.Object({
    type: Type.Literal('json_schema'),
    name: Type.String({ minLength: 1 }),
    schema: Type.Object({}),
    description,
    strict: optional(Type.Boolean()),
  }),
];

const format = Type.Union([...formats, otherTypeObject(formats, 'the type of a format')]);

const word = optional(Type.String());

/** The fields that the gateway checks. Other fields are passed on. */
export const responsesRequestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  // A stored prompt can replace the input.
  input: Type.Optional(
    Type.Union([Type.String(), Type.Array(inputItem, { minItems: 1, maxItems: MAX_ITEMS })]),
  ),
  instructions: word,
  stream: optional(Type.Boolean()),
  store: optional(Type.Boolean()),
  background: optional(
    Type.Boolean({ description: '`true` returns at once with status `queued`. `store` must not be false.' }),
  ),
  background_options: optional(
    Type.Object(
      { completion_window: word, continuation_id: word },
      { description: 'Has no effect. Each response begins at once, at the usual price.' },
    ),
  ),
  previous_response_id: word,
  conversation: optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Object({ id: Type.String({ minLength: 1 }) })]),
  ),
  prompt: optional(Type.Object({ id: Type.String({ minLength: 1 }) })),
  max_output_tokens: optional(Type.Integer({ minimum: 1 })),
  max_tool_calls: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_logprobs: optional(Type.Integer({ minimum: 0, maximum: 20 })),
  tools: optional(Type.Array(tool, { maxItems: MAX_TOOLS })),
  tool_choice: optional(toolChoice),
  parallel_tool_calls: optional(Type.Boolean()),
  text: optional(Type.Object({ format: optional(format), verbosity: word })),
  reasoning: optional(Type.Object({ effort: word, summary: word, generate_summary: word })),
  include: optional(Type.Array(Type.String())),
  truncation: optional(Type.Enum(['auto', 'disabled'])),
  service_tier: word,
  prompt_cache_key: word,
  prompt_cache_retention: word,
  safety_identifier: word,
  user: word,
  metadata: optional(Type.Object({})),
});
