import { Type } from 'typebox';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const optional = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(nullable(schema));

const content = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
]);

const toolCall = Type.Object({
  id: Type.String(),
  type: Type.Optional(Type.String()),
  function: Type.Optional(Type.Object({ name: Type.String(), arguments: Type.String() })),
});

const message = Type.Object({
  role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: Type.Optional(content),
  name: optional(Type.String()),
  tool_call_id: optional(Type.String()),
  tool_calls: optional(Type.Array(toolCall)),
});

const tool = Type.Object({
  type: Type.String(),
  function: Type.Optional(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      description: optional(Type.String()),
      parameters: optional(Type.Object({})),
      strict: optional(Type.Boolean()),
    }),
  ),
});

/** Elements beyond these only cost memory: nobody's prompt has them. */
const MAX_MESSAGES = 10_000;
const MAX_TOOLS = 1_000;

/** The fields that we look at; others are the upstream's business. */
export const chatRequestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(message, { minItems: 1, maxItems: MAX_MESSAGES }),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  max_tokens: optional(Type.Integer({ minimum: 1 })),
  max_completion_tokens: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  frequency_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  presence_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  n: optional(Type.Integer({ minimum: 1, maximum: 128 })),
  seed: optional(Type.Integer()),
  stop: optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  logprobs: optional(Type.Boolean()),
  top_logprobs: optional(Type.Integer({ minimum: 0, maximum: 20 })),
  tools: optional(Type.Array(tool, { maxItems: MAX_TOOLS })),
  tool_choice: optional(Type.Union([Type.String(), Type.Object({ type: Type.String() })])),
  parallel_tool_calls: optional(Type.Boolean()),
  response_format: optional(Type.Object({ type: Type.String() })),
  reasoning_effort: optional(Type.String()),
  user: optional(Type.String()),
  prompt_cache_key: optional(Type.String()),
  safety_identifier: optional(Type.String()),
});
