import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';

/** The message recommends HTTPS, although HTTP is accepted too. */
const MEDIA_ADDRESS = {
  pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?://|[Dd][Aa][Tt][Aa]:[^,;]+(?:;[^,;]+)*;[Bb][Aa][Ss][Ee]64,)',
  expected: "a URL that begins with 'https://', or a base64 data URL",
};

/** Marks the end of a prefix to cache. */
const prompt_cache_breakpoint = optional(Type.Object({}));

const textParts = ['input_text', 'output_text'].map((type) =>
  Type.Object({
    type: Type.Literal(type),
    text: Type.String(),
    annotations: optional(Type.Array(Type.Object({}))),
    prompt_cache_breakpoint,
  }),
);

const refusal = Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() });

const image = Type.Object({
  type: Type.Literal('input_image'),
  image_url: optional(Type.String(MEDIA_ADDRESS)),
  file_id: optional(Type.String({ minLength: 1 })),
  detail: optional(Type.Enum(['low', 'high', 'auto', 'original'])),
  prompt_cache_breakpoint,
});

const file = Type.Object({
  type: Type.Literal('input_file'),
  file_data: optional(Type.String()),
  file_url: optional(
    Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', expected: "a URL that begins with 'https://'" }),
  ),
  file_id: optional(Type.String({ minLength: 1 })),
  filename: optional(Type.String()),
  prompt_cache_breakpoint,
});

const audio = Type.Object({
  type: Type.Literal('input_audio'),
  input_audio: Type.Object({ data: Type.String({ minLength: 1 }), format: Type.Enum(['mp3', 'wav']) }),
});

const contents = [...textParts, refusal, image, file, audio];

/** Other types pass to the vendor. Types of the chat dialect are refused, as the vendor refuses them. */
const otherContent = otherTypeObject(
  [...contents, 'text', 'image_url', 'file', 'image'],
  'the type of a content',
);

/** The content of a message. */
export const messageContent = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.Union([...contents, otherContent])),
]);

/** The output of a tool. */
export const outputContent = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.Union([...textParts, image, file, otherContent])),
]);
