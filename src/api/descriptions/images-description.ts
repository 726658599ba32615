import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/images/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { inferenceHeaders } from './inference-description.ts';
import { meteredErrors, meteredUsageSchema } from './metered-description.ts';

const body = describeFields(requestSchema, 'Images Request', {
  model: 'The id of an image model or one of its aliases.',
  prompt: 'The description of the images.',
  n: 'The number of images, 1 by default.',
  size: 'The size, such as `1024x1024`. With `auto` the model chooses it.',
  quality: 'The quality, such as `high`. With `auto` the model chooses it.',
  stream: '`true` streams the images as server-sent events.',
  partial_images: 'The number of partial images in a stream. They cost nothing.',
  response_format: '`b64_json` or `url`, on models that offer the choice.',
  user: 'An id of the end user. The caller chooses it.',
});

const image = Type.Object({
  b64_json: Type.Optional(Type.String({ description: 'The image in base64.' })),
  url: Type.Optional(Type.String({ description: 'The address of the image. Only some models send it.' })),
  revised_prompt: Type.Optional(Type.String()),
});

/** The answer of endpoints that make images. */
export const imagesAnswer = Type.Object(
  {
    created: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
    data: Type.Array(image),
    size: Type.Optional(Type.String()),
    quality: Type.Optional(Type.String()),
    background: Type.Optional(Type.String()),
    output_format: Type.Optional(Type.String()),
    usage: meteredUsageSchema,
  },
  { title: 'Images' },
);

/** Describes `POST /v1/images/generations`. */
export const imagesDescription: RouteDescription = {
  group: 'Images',
  key: 'bearer',
  summary: 'Creates images from a text prompt (OpenAI Images)',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{image_model}', prompt: 'A lighthouse at dawn', size: '1024x1024' },
  answer: 'The images. Each image is billed by its size and quality.',
  answerSchema: imagesAnswer,
  streams: true,
  errors: meteredErrors,
};
