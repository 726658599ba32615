import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** The fields that the gateway checks. Other fields are passed on. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: Type.String({ minLength: 1 }),
  voice: optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Object({ id: Type.String({ minLength: 1 }) })]),
  ),
  instructions: optional(Type.String()),
  response_format: optional(Type.String({ minLength: 1, maxLength: 32 })),
  speed: optional(Type.Number({ minimum: 0.25, maximum: 4 })),
  stream_format: optional(Type.Enum(['audio', 'sse'])),
});

export type SpeechRequest = Static<typeof requestSchema>;
