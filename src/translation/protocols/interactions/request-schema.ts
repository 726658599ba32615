import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** Lists beyond these limits only cost memory. Real prompts are shorter. */
const MAX_STEPS = 10_000;
const MAX_CONTENTS = 10_000;
const MAX_TOOLS = 1_000;
/** Bounds the search for stop sequences, which reads every piece of the answer once for each. */
const MAX_STOPS = 1_000;
const MAX_STOP_LENGTH = 1_000;

const word = optional(Type.String());
const anything = optional(Type.Object({}));
const flag = optional(Type.Boolean());

const base64 = Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$', expected: 'base64 data' });

/** A text, an image, a document or a sound. */
const content = Type.Object({
  type: Type.String({ minLength: 1 }),
  text: word,
  data: optional(base64),
  uri: word,
  mime_type: word,
});

const contents = Type.Array(content, { maxItems: MAX_CONTENTS });

/** The result of a function is a list of contents. Those of the vendor's own tools have other forms. */
const results = Type.Array(Type.Object({ type: word }), { maxItems: MAX_CONTENTS });

/** One step of the conversation: input of the user, output of the model, a thought, a call or a result. */
const step = Type.Object({
  type: Type.String({ minLength: 1 }),
  content: optional(contents),
  summary: optional(contents),
  signature: word,
  id: word,
  name: word,
  arguments: anything,
  call_id: word,
  result: optional(Type.Union([Type.String(), results, Type.Object({})])),
  is_error: flag,
});

const functionName = '^[a-zA-Z0-9_.:-]{1,128}$';
const tool = Type.Object({
  type: Type.String({ minLength: 1 }),
  name: word,
  description: word,
  parameters: anything,
});

const modes = Type.Enum(['auto', 'any', 'none', 'validated']);
const toolChoice = optional(
  Type.Union([
    modes,
    Type.Object({
      allowed_tools: optional(
        Type.Object({ mode: optional(modes), tools: optional(Type.Array(Type.String())) }),
      ),
    }),
  ]),
);

const generationConfig = optional(
  Type.Object({
    max_output_tokens: optional(Type.Integer({ minimum: 1 })),
    temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
    seed: optional(Type.Integer()),
    stop_sequences: optional(
      Type.Array(Type.String({ maxLength: MAX_STOP_LENGTH }), { maxItems: MAX_STOPS }),
    ),
    thinking_level: word,
    thinking_summaries: word,
    tool_choice: toolChoice,
  }),
);

const format = Type.Object({ type: word, mime_type: word, schema: anything });

const fields = {
  model: Type.String({ minLength: 1 }),
  system_instruction: word,
  tools: optional(Type.Array(tool, { maxItems: MAX_TOOLS })),
  generation_config: generationConfig,
  response_format: optional(Type.Union([format, Type.Array(format)])),
  response_mime_type: word,
  response_modalities: optional(Type.Array(Type.String())),
  safety_settings: optional(Type.Array(Type.Object({}))),
  service_tier: word,
  labels: anything,
  store: flag,
  stream: flag,
  background: flag,
  previous_interaction_id: word,
  continuation_token: word,
};

const steps = Type.Array(step, { minItems: 1, maxItems: MAX_STEPS });

/** A request as clients send it. */
export const interactionRequestSchema = Type.Object({
  ...fields,
  input: Type.Optional(
    Type.Union([Type.String(), content, steps], {
      description: 'A text, a content, or a list of contents or of steps.',
    }),
  ),
});

/**
 * A request in normal form: the input is a text or a list of steps, and the output ceiling is a member of the
 * body itself.
 */
export const normalRequestSchema = Type.Object({
  ...fields,
  input: Type.Optional(Type.Union([Type.String(), steps])),
  max_output_tokens: optional(Type.Integer({ minimum: 1 })),
});

export const FUNCTION_NAME = new RegExp(functionName);
