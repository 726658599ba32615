import type { FormShape } from '../../base/forms/form-shape.ts';
import { bearerOf } from '../model/bearer-of.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { answerImages, IMAGE_FAILURES } from './image-answer.ts';

const MAX_IMAGES = 16;
const FORM: FormShape = {
  fields: { n: 'integer', stream: 'boolean', partial_images: 'integer', output_compression: 'integer' },
  files: { image: MAX_IMAGES, 'image[]': MAX_IMAGES, mask: 1 },
  required: 'image',
  orJson: true,
};

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body } = exchange;
  const sent = body.either('images', 'image', 'image[]').someItems().length;
  if (sent > MAX_IMAGES) body.at('images').fail(`at most ${MAX_IMAGES} images are supported`);
  return answerImages(exchange, { event: 'image_edit', prompt: body.at('prompt').text(), sent });
}

export const OPENAI_IMAGE_EDITS: SimulatorWire = {
  id: 'openai-images',
  path: /^\/images\/edits$/,
  form: FORM,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  ...IMAGE_FAILURES,
};
