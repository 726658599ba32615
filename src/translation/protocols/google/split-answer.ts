import { isObject } from '../../../base/lib/is-object.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';

/**
 * Splits a unary answer. It is a chunk like those of a stream, and a stream without server-sent events is a
 * list of chunks.
 */
export function splitAnswer(text: string): Frame[] {
  const body: unknown = JSON.parse(text);
  const chunks = Array.isArray(body) ? body : [body];
  if (!chunks.some(isAnswer)) throw new SyntaxError('the answer has neither candidates nor a block reason');
  const frames = Array.isArray(body)
    ? chunks.map((chunk) => ({ data: JSON.stringify(chunk) }))
    : [{ data: text }];
  return [...frames, END_OF_STREAM];
}

const isAnswer = (chunk: unknown): boolean =>
  isObject(chunk) &&
  (chunk.error !== undefined || chunk.promptFeedback !== undefined || Array.isArray(chunk.candidates));
