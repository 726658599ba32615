import type { Static } from 'typebox';
import { Type } from '../../../base/schema/type.ts';
import { MAX_IMAGES } from './edits-form.ts';
import { requestSchema } from './request-schema.ts';

const source = Type.Object({
  image_url: Type.Optional(Type.String({ minLength: 1 })),
  file_id: Type.Optional(Type.String({ minLength: 1 })),
});
const files = Type.Optional(Type.Array(Type.Object({}), { minItems: 1, maxItems: MAX_IMAGES }));

/**
 * The fields that the gateway checks. A form has `image` or `image[]`, and JSON has `images`.
 * Other fields are passed on.
 */
export const editsSchema = Type.Object({
  ...requestSchema.properties,
  image: files,
  'image[]': files,
  images: Type.Optional(Type.Array(source, { minItems: 1, maxItems: MAX_IMAGES })),
  mask: Type.Optional(Type.Object({})),
  markup: Type.Optional(Type.Object({})),
});

export type EditsRequest = Static<typeof editsSchema>;
