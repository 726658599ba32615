import type { Static } from 'typebox';
import { Type } from '../../../base/schema/type.ts';

const word = Type.String({ minLength: 1, maxLength: 64 });
const texts = Type.Optional(Type.Array(Type.String()));

const formFields = {
  file: Type.Object({}),
  model: Type.String({ minLength: 1 }),
  prompt: Type.Optional(Type.String()),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
};

/** The fields that the gateway checks. Other fields are passed on. */
export const transcriptionSchema = Type.Object({
  ...formFields,
  language: Type.Optional(word),
  response_format: Type.Optional(
    Type.Enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const),
  ),
  stream: Type.Optional(Type.Boolean()),
  'include[]': texts,
  'timestamp_granularities[]': texts,
  'known_speaker_names[]': texts,
  'known_speaker_references[]': texts,
  'languages[]': texts,
  'keywords[]': texts,
});

/** A translation has one language, no speakers and no stream. */
export const translationSchema = Type.Object({
  ...formFields,
  response_format: Type.Optional(Type.Enum(['json', 'text', 'srt', 'verbose_json', 'vtt'] as const)),
  stream: Type.Optional(Type.Literal(false)),
});

export type TranscriptionRequest = Static<typeof transcriptionSchema>;
export type TranscriptionFormat = NonNullable<TranscriptionRequest['response_format']>;
