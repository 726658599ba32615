import { lookUp } from '../../base/lib/records.ts';
import { PICTURE_FORMATS, type PictureFormat, pictureOf } from '../media/picture.ts';
import type { Field } from '../model/field.ts';
import { namedEvent, type SimulatorEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

/** The images that a request asks for. */
export type ImageOrder = {
  /** The beginning of the names of events. */
  event: 'image_generation' | 'image_edit';
  prompt: string;
  /** The number of images in the request. */
  sent: number;
};

type Images = ImageOrder & {
  count: number;
  /** True for a stream. DALL·E has none. */
  streamed: boolean;
  /** The number of partial images of a stream. */
  partial: number;
  format: PictureFormat;
  /** The choices that the answer shows. */
  shown: { size: string; quality: string; background: string; output_format: string };
  usage: object | undefined;
  createdSeconds: number;
  /** True for DALL·E, which reports neither its choices nor usage, and answers with addresses by default. */
  isDalle: boolean;
  asUrl: boolean;
};

const MAX_IMAGES = 10;
const MIN_SIDE = 16;
const MAX_SIDE = 4_096;
const QUALITIES = ['low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd', 'auto'] as const;
const BACKGROUNDS = ['transparent', 'opaque', 'auto'] as const;
/** The tokens of a square image of a megapixel, by quality. */
const TOKENS: Readonly<Record<string, number>> = { low: 272, medium: 1_056, high: 4_160 };
/** The tokens of each image in the request. */
const SENT_IMAGE_TOKENS = 272;
const PARTIAL_IMAGE_TOKENS = 100;
const MEGAPIXEL = 1024 * 1024;

/** Answers with pictures of the requested size. */
export function answerImages(exchange: SimulatorExchange, order: ImageOrder): SimulatorAnswer {
  const images = readImages(exchange, order);
  const places = Array.from({ length: images.count }, (_, at) => at);
  const { shown, usage, isDalle, createdSeconds, streamed } = images;
  return {
    streamed,
    body: () => ({
      created: createdSeconds,
      ...(!isDalle && shown),
      data: places.map((place) => imageOf(images, place)),
      ...(usage && { usage }),
    }),
    events: () => eventsOf(images),
  };
}

function readImages(
  { body, tokenizer, reportsUsage, createdSeconds, model }: SimulatorExchange,
  order: ImageOrder,
): Images {
  const isDalle = model.startsWith('dall-e');
  const count = body.at('n').number({ min: 1, max: MAX_IMAGES }) ?? 1;
  const streamed = body.at('stream').flag() && !isDalle;
  const partial = body.at('partial_images').number({ min: 0, max: 3 }) ?? 0;
  body.at('output_compression').number({ min: 0, max: 100 });
  const format = choose(body.at('output_format'), PICTURE_FORMATS, 'png');
  const size = sizeOf(body.at('size'));
  const quality = choose(body.at('quality'), QUALITIES, isDalle ? 'standard' : 'medium');
  const urlFormat = choose(
    body.at('response_format'),
    ['url', 'b64_json'] as const,
    isDalle ? 'url' : 'b64_json',
  );
  const text = tokenizer.count(order.prompt);
  const input = { text_tokens: text, image_tokens: order.sent * SENT_IMAGE_TOKENS };
  const output = count * (imageTokens(size, quality) + (streamed ? partial * PARTIAL_IMAGE_TOKENS : 0));
  return {
    ...order,
    count,
    streamed,
    partial,
    format,
    createdSeconds,
    isDalle,
    asUrl: urlFormat === 'url',
    shown: {
      size,
      quality,
      output_format: format,
      background: choose(body.at('background'), BACKGROUNDS, 'opaque'),
    },
    usage: reportsUsage && !isDalle ? usageOf(input, output) : undefined,
  };
}

const usageOf = (input: { text_tokens: number; image_tokens: number }, output: number) => ({
  input_tokens: input.text_tokens + input.image_tokens,
  input_tokens_details: input,
  output_tokens: output,
  output_tokens_details: { text_tokens: 0, image_tokens: output },
  total_tokens: input.text_tokens + input.image_tokens + output,
});

function choose<Name extends string>(field: Field, words: readonly Name[], otherwise: Name): Name {
  const word = field.present ? field.oneOf(words) : otherwise;
  return word === 'auto' ? otherwise : word;
}

function sizeOf(field: Field): string {
  const size = field.optionalText() ?? 'auto';
  if (size === 'auto') return '1024x1024';
  const sides = /^(\d{2,4})x(\d{2,4})$/.exec(size)?.slice(1).map(Number) ?? [];
  const fits = sides.length === 2 && sides.every((side) => side >= MIN_SIDE && side <= MAX_SIDE);
  return fits
    ? size
    : field.fail(`expected auto, or a width and a height of ${MIN_SIDE} to ${MAX_SIDE}, such as 1024x1024`);
}

const sidesOf = (size: string) => {
  const [width, height] = size.split('x').map(Number);
  return { width: width!, height: height! };
};

function imageTokens(size: string, quality: string): number {
  const { width, height } = sidesOf(size);
  return Math.ceil((lookUp(TOKENS, quality) ?? TOKENS.high!) * ((width * height) / MEGAPIXEL));
}

/** Draws an image. A partial one has a different color from the final one. */
function draw({ prompt, shown, format }: Images, place: number, part = 'final'): string {
  return pictureOf(sidesOf(shown.size), format, `${part} ${place} ${prompt}`).toString('base64');
}

function imageOf(images: Images, place: number): object {
  const base64 = draw(images, place);
  const image = images.asUrl ? { url: `data:image/${images.format};base64,${base64}` } : { b64_json: base64 };
  return images.isDalle ? { ...image, revised_prompt: `[simulated] ${images.prompt}` } : image;
}

function* eventsOf(images: Images): Iterable<SimulatorEvent> {
  const { event, count, partial, shown, usage, createdSeconds } = images;
  const frame = (type: string, base64: string, more: object) =>
    namedEvent(type, { type, ...shown, created_at: createdSeconds, b64_json: base64, ...more }, 1);
  for (let place = 0; place < count; place++)
    for (let part = 0; part < partial; part++)
      yield frame(`${event}.partial_image`, draw(images, place, `part ${part}`), {
        partial_image_index: part,
      });
  for (let place = 0; place < count; place++)
    yield frame(`${event}.completed`, draw(images, place), usage ? { usage } : {});
}

/** The members that both endpoints have in common. */
export const IMAGE_FAILURES: Pick<SimulatorWire, 'failureBody' | 'failureEvents'> = {
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [
    namedEvent('error', { type: 'error', ...(openaiErrorBody(failure) as object) }),
  ],
};
