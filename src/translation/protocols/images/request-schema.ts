import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

const word = Type.String({ minLength: 1, maxLength: 64 });

/** The fields that the gateway checks in requests to make images and to edit them. Others are passed on. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  prompt: Type.String({ minLength: 1 }),
  n: optional(Type.Integer({ minimum: 1, maximum: 10 })),
  size: optional(word),
  quality: optional(word),
  stream: optional(Type.Boolean()),
  partial_images: optional(Type.Integer({ minimum: 0, maximum: 3 })),
  response_format: optional(word),
  user: optional(Type.String()),
});

export type ImagesRequest = Static<typeof requestSchema>;
