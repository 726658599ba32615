import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { messageSchema } from './message-schema.ts';
import { functionCallSchema, functionSchema, toolChoiceSchema, toolSchema } from './tool-schema.ts';

/** Lists beyond these limits only cost memory. Real prompts are shorter. */
const MAX_MESSAGES = 10_000;
const MAX_TOOLS = 1_000;
const MAX_STOPS = 4;

const responseFormat = Type.Union([
  Type.Object({ type: Type.Enum(['text', 'json_object']) }),
  Type.Object({
    type: Type.Literal('json_schema'),
    json_schema: Type.Object({
      name: Type.String({ minLength: 1 }),
      description: optional(Type.String()),
      schema: optional(Type.Object({})),
      strict: optional(Type.Boolean()),
    }),
  }),
  otherTypeObject(['text', 'json_object', 'json_schema'], 'the type of a format'),
]);

/** The fields that the gateway understands. Other fields pass, and have no meaning in other protocols. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(messageSchema, { minItems: 1, maxItems: MAX_MESSAGES }),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  max_tokens: optional(Type.Integer({ minimum: 1 })),
  max_completion_tokens: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: optional(Type.Integer({ minimum: 0 })),
  frequency_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  presence_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  n: optional(Type.Integer({ minimum: 1, maximum: 128 })),
  seed: optional(Type.Integer()),
  stop: optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: MAX_STOPS })])),
  logprobs: optional(Type.Boolean()),
  top_logprobs: optional(Type.Integer({ minimum: 0, maximum: 20 })),
  tools: optional(Type.Array(toolSchema, { maxItems: MAX_TOOLS })),
  tool_choice: optional(toolChoiceSchema),
  functions: optional(Type.Array(functionSchema, { maxItems: MAX_TOOLS })),
  function_call: optional(functionCallSchema),
  parallel_tool_calls: optional(Type.Boolean()),
  response_format: optional(responseFormat),
  reasoning_effort: optional(Type.String({ minLength: 1 })),
  user: optional(Type.String()),
  safety_identifier: optional(Type.String()),
  prompt_cache_key: optional(Type.String()),
  prompt_cache_retention: optional(Type.String()),
  service_tier: optional(Type.String()),
  verbosity: optional(Type.String()),
  logit_bias: optional(Type.Object({})),
  metadata: optional(Type.Object({})),
  modalities: optional(Type.Array(Type.String())),
  audio: optional(Type.Object({})),
  prediction: optional(Type.Object({})),
  store: optional(Type.Boolean()),
  web_search_options: optional(Type.Object({})),
});

export type ChatRequest = Static<typeof requestSchema>;
/** A message in a request. Its role decides its other members. */
export type ChatMessage = ChatRequest['messages'][number];
export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
export type ChatTool = NonNullable<ChatRequest['tools']>[number];
