import { type RawAnswer, type startRawUpstream, streamHead } from './raw-upstream.ts';

const MEGABYTE = 1024 * 1024;
/** More than the buffers between the upstream and the client can hold. */
const MAX_BYTES = 256 * MEGABYTE;

/** The bytes that an upstream has sent of one stream. */
export type EndlessStream = { sentBytes: number; isClosed: boolean };

const delta = (content: string) =>
  `data: ${JSON.stringify({ id: 'hidden', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** Makes the upstream answer `model` with endless streams, which it sends as fast as they are read. */
export function sendEndlessly(upstream: ReturnType<typeof startRawUpstream>, model: string): EndlessStream[] {
  const streams: EndlessStream[] = [];
  const piece = delta('x'.repeat(64 * 1024));
  upstream.answer(model, async (answer: RawAnswer) => {
    const stream = { sentBytes: 0, isClosed: false };
    streams.push(stream);
    void answer.closed.then(() => {
      stream.isClosed = true;
    });
    answer.send(streamHead);
    while (!stream.isClosed && stream.sentBytes < MAX_BYTES) {
      if (answer.waitingBytes() === 0) {
        answer.send(piece);
        stream.sentBytes += piece.length;
      } else await answer.pause();
    }
  });
  return streams;
}
