import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { MAX_IMAGES } from '../../translation/protocols/images/edits-form.ts';
import { editsSchema } from '../../translation/protocols/images/edits-schema.ts';
import { requestSchema } from '../../translation/protocols/images/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { fileField, fileList } from './file-fields.ts';
import { imageFieldTexts } from './image-field-texts.ts';
import { imagesAnswer } from './images-description.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';

const texts = { ...imageFieldTexts, prompt: 'The description of the change.' };
const MASK = 'An image whose transparent areas mark what to change.';
/** The fields that a JSON body and a form share. */
const shared = requestSchema.properties;
const { images, mask } = editsSchema.properties;

const body = describeFields(Type.Object({ ...shared, images, mask }), 'Image Edit Request', {
  ...texts,
  images: 'The images. Each has an `image_url` with an address or a data URL.',
  mask: MASK,
});

const form = describeFields(
  Type.Object({
    ...shared,
    image: Type.Optional(fileField('')),
    'image[]': Type.Optional(fileList('', MAX_IMAGES)),
    mask: Type.Optional(fileField(MASK)),
  }),
  'Image Edit Form',
  {
    ...texts,
    image: 'The image, as a file. A form has either this field or `image[]`.',
    'image[]': 'Several images, as files.',
    mask: MASK,
  },
);

/** Describes `POST /v1/images/edits`. */
export const editsDescription: RouteDescription = {
  group: 'Images',
  key: 'bearer',
  summary: 'Edits images by a text prompt (OpenAI Images)',
  headers: inferenceHeaders,
  body,
  bodyExample: {
    model: '{image_model}',
    prompt: 'Add a hat',
    images: [
      {
        image_url:
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      },
    ],
  },
  form: { schema: form, example: ['image=@photo.png', 'prompt=Add a hat', 'model={image_model}'] },
  answer: 'The images. Each image is billed by its size and quality.',
  answerSchema: imagesAnswer,
  streams: true,
  errors: meteredErrors,
};
