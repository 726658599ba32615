import { type TSchema, Type } from 'typebox';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** Anchored, and never past the comma: a picture of megabytes is not searched. */
const MEDIA_URL = '^(?:[Hh][Tt][Tt][Pp][Ss]?://|data:[^,]{0,200};base64,)';

/** Two ways in which clients mark the end of a prefix to be cached. */
const cacheable = {
  cache_control: optional(Type.Object({ type: Type.String(), ttl: optional(Type.String()) })),
  prompt_cache_breakpoint: optional(Type.Object({})),
};

const text = Type.Object({ type: Type.Literal('text'), text: Type.String(), ...cacheable });

const image = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({
    url: Type.String({ pattern: MEDIA_URL, expected: 'an http(s) URL or a data URL in base64' }),
    detail: optional(Type.String()),
  }),
  ...cacheable,
});

const audio = Type.Object({
  type: Type.Literal('input_audio'),
  input_audio: Type.Object({ data: Type.String({ minLength: 1 }), format: Type.Enum(['wav', 'mp3']) }),
});

const file = Type.Object({
  type: Type.Literal('file'),
  file: Type.Union([
    Type.Object({
      file_data: Type.String({ minLength: 1 }),
      file_id: optional(Type.String()),
      filename: optional(Type.String()),
    }),
    Type.Object({ file_id: Type.String({ minLength: 1 }), filename: optional(Type.String()) }),
  ]),
  ...cacheable,
});

/** What some hosts of this protocol take beside; the others have no word for it. */
const ofHosts = Type.Object({
  type: Type.Enum(['video_url', 'input_video', 'document_url', 'reference', 'thinking']),
});

const refusal = Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() });

const contentOf = <T extends TSchema>(part: T) =>
  Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Array(part)]));

/** What each role may say. Some hosts take pictures from tools, so clients send them. */
export const contents = {
  guidance: contentOf(text),
  user: contentOf(Type.Union([text, image, audio, file, ofHosts])),
  assistant: contentOf(Type.Union([text, refusal, ofHosts])),
  result: contentOf(Type.Union([text, image, file])),
};
