import { bearerOf } from '../model/bearer-of.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { answerImages, IMAGE_FAILURES } from './image-answer.ts';

const MAX_CHARACTERS = 32_000;

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const field = exchange.body.at('prompt');
  const prompt = field.text() || field.fail('must not be empty');
  if (prompt.length > MAX_CHARACTERS) field.fail(`at most ${MAX_CHARACTERS} characters are supported`);
  return answerImages(exchange, { event: 'image_generation', prompt, sent: 0 });
}

export const OPENAI_IMAGE_GENERATIONS: SimulatorWire = {
  id: 'openai-images',
  path: /^\/images\/generations$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  ...IMAGE_FAILURES,
};
