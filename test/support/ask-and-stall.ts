import { connect, type Socket } from 'node:net';
import { chatBody } from './call.ts';

type StalledRequest = { url: string; key: string; model: string };

/** Requests a stream over a socket, and stops reading after the first bytes. */
export async function askAndStall({
  url,
  key,
  model,
}: StalledRequest): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const body = JSON.stringify(chatBody(model, { stream: true }));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // The server may close the connection without an answer.
  await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))]);
  socket.pause();
  return { socket, closed };
}
