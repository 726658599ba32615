import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** The limit of prompts in a request. It is not in the schema, where it would also limit lists of tokens. */
export const MAX_PROMPTS = 2_048;
/**
 * The limit of answers to one prompt. For a request that is split, also the limit of answers to all prompts.
 */
export const MAX_ANSWERS = 128;

const MAX_STOPS = 4;

const tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });
const count = Type.Integer({ minimum: 1, maximum: MAX_ANSWERS });

/** The fields that the gateway checks. Other fields are passed on. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  prompt: Type.Union([
    Type.String(),
    Type.Array(Type.String(), { minItems: 1 }),
    tokens,
    Type.Array(tokens, { minItems: 1 }),
  ]),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  max_tokens: optional(Type.Integer({ minimum: 0 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  frequency_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  presence_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  seed: optional(Type.Integer()),
  stop: optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: MAX_STOPS })])),
  n: optional(count),
  best_of: optional(count),
  echo: optional(Type.Boolean()),
  suffix: optional(Type.String()),
  logprobs: optional(Type.Integer({ minimum: 0, maximum: 5 })),
  user: optional(Type.String()),
});

/** A prompt as text or in tokens. */
type Prompt = string | readonly number[];

export type CompletionsRequest = Static<typeof requestSchema>;

/** Returns the prompts. A list of numbers is one prompt in tokens. TypeScript does not narrow such a list. */
export const promptsOf = ({ prompt }: CompletionsRequest): readonly Prompt[] =>
  typeof prompt === 'string' || typeof prompt[0] === 'number'
    ? [prompt as string | number[]]
    : (prompt as string[] | number[][]);
