import type { FormShape } from '../../base/forms/form-shape.ts';
import { bearerOf } from '../model/credential.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

const MOST_IMAGES = 16;
const FORM: FormShape = {
  fields: { n: 'integer', stream: 'boolean', partial_images: 'integer', output_compression: 'integer' },
  files: { image: MOST_IMAGES, 'image[]': MOST_IMAGES, mask: 1 },
  required: 'image',
  orJson: true,
};
const SIZES = ['1024x1024', '1536x1024', '1024x1536', '256x256', '512x512', 'auto'] as const;
const QUALITIES = ['low', 'medium', 'high', 'standard', 'auto'] as const;
const TOKENS_PER_IMAGE = 272;
/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

type Edit = {
  images: number;
  partial: number;
  shown: { size: string; quality: string; background: string; output_format: string };
  usage: object | undefined;
  createdSeconds: number;
};

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const edit = readEdit(exchange);
  return {
    streamed: exchange.body.at('stream').flag(),
    body: () => ({
      created: edit.createdSeconds,
      ...edit.shown,
      data: Array.from({ length: edit.images }, () => ({ b64_json: PNG })),
      ...(edit.usage && { usage: edit.usage }),
    }),
    events: () => eventsOf(edit),
  };
}

function readEdit({ body, tokenizer, reportsUsage, createdSeconds }: SimulatorExchange): Edit {
  const sent = body.either('images', 'image', 'image[]').someItems().length;
  if (sent > MOST_IMAGES) body.at('images').fail(`at most ${MOST_IMAGES} images are supported`);
  const text = tokenizer.count(body.at('prompt').text());
  const images = body.at('n').number({ min: 1, max: 10 }) ?? 1;
  const input = { text_tokens: text, image_tokens: sent * TOKENS_PER_IMAGE };
  const tokens = { input: text + input.image_tokens, output: images * TOKENS_PER_IMAGE };
  const choose = <Name extends string>(name: string, words: readonly Name[], otherwise: Name) => {
    const field = body.at(name);
    const word = field.present ? field.oneOf(words) : otherwise;
    return word === 'auto' ? otherwise : word;
  };
  return {
    ...{ images, createdSeconds },
    partial: body.at('partial_images').number({ min: 0, max: 3 }) ?? 0,
    shown: {
      size: choose('size', SIZES, '1024x1024'),
      quality: choose('quality', QUALITIES, 'medium'),
      ...{ background: 'opaque', output_format: 'png' },
    },
    usage: reportsUsage
      ? {
          ...{ input_tokens: tokens.input, input_tokens_details: input },
          ...{ output_tokens: tokens.output, total_tokens: tokens.input + tokens.output },
        }
      : undefined,
  };
}

function* eventsOf({ images, partial, shown, usage, createdSeconds }: Edit): Iterable<SimulatorEvent> {
  const frame = { ...shown, created_at: createdSeconds, b64_json: PNG };
  const event = (type: string, more: object) => namedEvent(type, { type, ...frame, ...more }, 1);
  for (let at = 0; at < images * partial; at++)
    yield event('image_edit.partial_image', { partial_image_index: at % partial });
  for (let at = 0; at < images; at++) yield event('image_edit.completed', usage ? { usage } : {});
}

export const OPENAI_IMAGE_EDITS: SimulatorWire = {
  id: 'openai-images',
  path: /^\/images\/edits$/,
  form: FORM,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [
    namedEvent('error', { type: 'error', ...(openaiErrorBody(failure) as object) }),
  ],
};
