import type { BodyPiece, ReplyBody, WrittenBody } from './reply.ts';

/** Reports whether a body is sent whole. Other bodies are written piece by piece. */
export const isWhole = (body: ReplyBody): body is BodyPiece | null =>
  body === null || typeof body === 'string' || body instanceof Uint8Array;

/** Returns the body as a function that writes it, or undefined if the body is sent whole. */
export function asWritten(body: Exclude<ReplyBody, BodyPiece | null>): WrittenBody;
export function asWritten(body: ReplyBody): WrittenBody | undefined;
export function asWritten(body: ReplyBody): WrittenBody | undefined {
  if (typeof body === 'function') return body;
  if (isWhole(body)) return undefined;
  return async (writer) => {
    for await (const piece of body) {
      const taken = writer.write(piece);
      if (taken) await taken;
    }
  };
}
