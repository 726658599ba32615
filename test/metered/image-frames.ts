import type { Json } from '../support/call.ts';

/** Writes a frame of a stream that has the type of its event as a name. */
export const frame = (event: Json): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const partialImage = (index: number): string =>
  frame({ type: 'image_generation.partial_image', b64_json: 'cGFydA==', partial_image_index: index });

export const completedImage = (fields: Json = {}): string =>
  frame({
    type: 'image_generation.completed',
    b64_json: 'aGk=',
    size: '1024x1024',
    quality: 'low',
    ...fields,
  });
