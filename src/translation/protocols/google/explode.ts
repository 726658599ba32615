import { isObject } from '../../../base/json/read-json.ts';
import type { Frame } from '../codec.ts';

/** Fed behind the last frame: this wire has none that says it is the last. */
export const closingFrame: Frame = { event: 'end-of-stream', data: '' };

/** A unary answer is a chunk like those of a stream; without server-sent events a stream is a list of them. */
export function explode(text: string): Frame[] {
  const body: unknown = JSON.parse(text);
  const chunks = Array.isArray(body) ? body : [body];
  if (!chunks.some(isAnswer)) throw new SyntaxError('neither candidates nor a reason why there are none');
  const frames = Array.isArray(body)
    ? chunks.map((chunk) => ({ data: JSON.stringify(chunk) }))
    : [{ data: text }];
  return [...frames, closingFrame];
}

const isAnswer = (chunk: unknown): boolean =>
  isObject(chunk) &&
  (chunk.error !== undefined || chunk.promptFeedback !== undefined || Array.isArray(chunk.candidates));
