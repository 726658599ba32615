import type { Static, TSchema } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';
import { cacheControl } from './cache-control.ts';

/** Anchored and bounded by the comma, so that an image of several megabytes is not searched. */
const MEDIA_URL = '^(?:[Hh][Tt][Tt][Pp][Ss]?://|[Dd][Aa][Tt][Aa]:[^,]{0,200};[Bb][Aa][Ss][Ee]64,)';

/** The two ways in which clients mark the end of a prefix to cache. */
const cacheable = { ...cacheControl, prompt_cache_breakpoint: optional(Type.Object({})) };

const text = Type.Object({ type: Type.Literal('text'), text: Type.String(), ...cacheable });

const image = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({
    url: Type.String({ pattern: MEDIA_URL, expected: 'an HTTP(S) URL or a base64 data URL' }),
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

const refusal = Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() });

const knownPart = Type.Union([text, image, audio, file, refusal]);
/** A part that the gateway can decode. */
export type KnownPart = Static<typeof knownPart>;

const knownTypes = knownPart.anyOf.map(({ properties }) => properties.type.const);

/** Types of other dialects' parts, which a client sends here by mistake. */
// biome-ignore format: a line for each dialect
const foreignTypes = [
  'input_text', 'output_text', 'input_image', 'input_file',
  'image', 'document', 'tool_use', 'tool_result',
];

/** A part that only its host knows. */
const hostPart = otherTypeObject([...knownTypes, ...foreignTypes], 'the type of a part');

const contentOf = <T extends TSchema>(part: T) =>
  Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Array(part)]));

/**
 * The allowed content of each role.
 * Tool results may hold images, since some hosts accept them and clients send them.
 */
export const contents = {
  guidance: contentOf(Type.Union([text, hostPart])),
  user: contentOf(Type.Union([text, image, audio, file, hostPart])),
  assistant: contentOf(Type.Union([text, refusal, hostPart])),
  result: contentOf(Type.Union([text, image, file, hostPart])),
};
