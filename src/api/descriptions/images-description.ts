import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/images/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { imageFieldTexts } from './image-field-texts.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';
import { meteredUsageSchema } from './metered-usage-schema.ts';

const body = describeFields(requestSchema, 'Images Request', {
  ...imageFieldTexts,
  prompt: 'The description of the images.',
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
