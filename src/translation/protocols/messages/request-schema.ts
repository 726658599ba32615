import { optional } from '../../../base/schema/optional.ts';
import { orNull } from '../../../base/schema/or-null.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { assistantBlocks, cacheControl, directiveBlocks, systemBlocks, userBlocks } from './block-schema.ts';

/** Lists beyond these limits only cost memory. Real prompts are shorter. */
const MAX_MESSAGES = 10_000;
const MAX_TOOLS = 1_000;
/** Bounds the search for stop sequences, which reads every piece of the answer once for each. */
const MAX_STOPS = 1_000;
const MAX_STOP_LENGTH = 1_000;
/** The smallest budget that the vendor accepts. */
const MIN_BUDGET = 1_024;

const contentOf = <T extends Parameters<typeof orNull>[0]>(blocks: T) =>
  optional(Type.Union([Type.String(), blocks]));

const message = Type.Union([
  // Null is tolerated, as in every field. A missing `content` is an error.
  Type.Object({ role: Type.Literal('user'), content: orNull(Type.Union([Type.String(), userBlocks])) }),
  Type.Object({ role: Type.Literal('assistant'), content: contentOf(assistantBlocks) }),
  // The vendor's older contract has neither role, but agents send both.
  Type.Object({ role: Type.Enum(['system', 'developer']), content: contentOf(directiveBlocks) }),
]);

const customTool = Type.Object({
  type: optional(Type.Literal('custom')),
  name: Type.String({
    pattern: '^[a-zA-Z0-9_-]{1,128}$',
    expected: 'at most 128 letters, digits, dashes and underscores',
  }),
  description: optional(Type.String()),
  input_schema: Type.Object({ type: Type.Optional(Type.Literal('object')) }),
  strict: optional(Type.Boolean()),
  cache_control: cacheControl,
});

/** A tool that the vendor runs or describes itself. */
const ownTool = Type.Object({
  type: Type.String({ pattern: '^(?!custom$)', minLength: 1 }),
  name: optional(Type.String()),
});

const disable_parallel_tool_use = optional(Type.Boolean());

const toolChoice = Type.Union([
  Type.Object({ type: Type.Literal('auto'), disable_parallel_tool_use }),
  Type.Object({ type: Type.Literal('any'), disable_parallel_tool_use }),
  Type.Object({ type: Type.Literal('tool'), name: Type.String(), disable_parallel_tool_use }),
  Type.Object({ type: Type.Literal('none') }),
]);

const display = optional(Type.String());

const thinking = Type.Union([
  Type.Object({
    type: Type.Literal('enabled'),
    budget_tokens: optional(Type.Integer({ minimum: MIN_BUDGET })),
    display,
  }),
  Type.Object({ type: Type.Literal('adaptive'), display }),
  Type.Object({ type: Type.Literal('between_tools') }),
  Type.Object({ type: Type.Literal('disabled') }),
  otherTypeObject(['enabled', 'adaptive', 'between_tools', 'disabled'], 'a way of thinking'),
]);

const format = optional(
  Type.Union([
    Type.Object({ type: Type.Literal('json_schema'), schema: Type.Object({}) }),
    otherTypeObject(['json_schema'], 'the type of a format'),
  ]),
);

const fields = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(message, { minItems: 1, maxItems: MAX_MESSAGES }),
  system: optional(Type.Union([Type.String(), systemBlocks])),
  tools: optional(Type.Array(Type.Union([customTool, ownTool]), { maxItems: MAX_TOOLS })),
  tool_choice: optional(toolChoice),
  thinking: optional(thinking),
  output_config: optional(Type.Object({ effort: optional(Type.String()), format })),
  output_format: format,
  stream: optional(Type.Boolean()),
  temperature: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: optional(Type.Integer({ minimum: 0 })),
  stop_sequences: optional(Type.Array(Type.String({ maxLength: MAX_STOP_LENGTH }), { maxItems: MAX_STOPS })),
  metadata: optional(Type.Object({ user_id: optional(Type.String()) })),
  service_tier: optional(Type.Enum(['auto', 'standard_only'])),
};

const max_tokens = Type.Integer({ minimum: 1 });

/** The fields that the gateway checks. Other fields are passed on. */
export const messagesRequestSchema = Type.Object({ ...fields, max_tokens });

/** The schema of a token count, which generates nothing and therefore needs no `max_tokens`. */
export const countRequestSchema = Type.Object({ ...fields, max_tokens: optional(max_tokens) });
