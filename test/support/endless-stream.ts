import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { chatBody } from './call.ts';
import { type RawAnswer, type startRawUpstream, streamHead } from './raw-upstream.ts';

const MEGABYTE = 1024 * 1024;
/** More than anything between the two ends holds. */
const MAX_BYTES = 256 * MEGABYTE;

/** The bytes that an upstream has sent of one stream. */
export type Sending = { sentBytes: number; isClosed: boolean };

const delta = (content: string) =>
  `data: ${JSON.stringify({ id: 'hidden', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** Answers that model with endless streams, sent as fast as they are read. */
export function sendEndlessly(upstream: ReturnType<typeof startRawUpstream>, model: string): Sending[] {
  const sendings: Sending[] = [];
  const piece = delta('x'.repeat(64 * 1024));
  upstream.answer(model, async (answer: RawAnswer) => {
    const sending = { sentBytes: 0, isClosed: false };
    sendings.push(sending);
    void answer.closed.then(() => {
      sending.isClosed = true;
    });
    answer.send(streamHead);
    while (!sending.isClosed && sending.sentBytes < MAX_BYTES) {
      if (answer.waitingBytes() === 0) {
        answer.send(piece);
        sending.sentBytes += piece.length;
      } else await answer.pause();
    }
  });
  return sendings;
}

type Asking = { url: string; key: string; model: string };

/** Asks for a stream on a bare socket and reads the first of it, no more. */
export async function askAndStall({
  url,
  key,
  model,
}: Asking): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const body = JSON.stringify(chatBody(model, { stream: true }));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return { socket, closed };
}

/** Measures the resident memory of a process. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
