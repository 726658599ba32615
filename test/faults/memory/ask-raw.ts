import type { Socket } from 'bun';
import { statusIn } from '../../support/raw-client.ts';

export type RawRequest = {
  url: string;
  path: string;
  key: string;
  /** One buffer for all requests, so that this process can send a thousand of them. */
  body: Buffer;
  /** True for a client that reads only the beginning of the answer. */
  stalls?: boolean;
};

/** `status` is 0 if the connection ended without an answer. */
export type RawAnswer = { status: number; code: string | undefined; bytes: number };

/** A request under way. */
export type RawExchange = { answered: Promise<RawAnswer>; begun: Promise<void>; leave(): void };

type State = { unsent: Buffer; start: string; bytes: number };

/** The kept part of an answer: its head and, of a refusal, its code. */
const KEPT_BYTES = 4_096;

/** Sends one request on its own connection, as fast as the server reads it. */
export function askRaw({ url, path, key, body, stalls = false }: RawRequest): RawExchange {
  const { hostname, port } = new URL(url);
  const head =
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${key}\r\nx-api-key: ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  const begun = Promise.withResolvers<void>();
  const state: State = { unsent: Buffer.from(head), start: '', bytes: 0 };
  let isHeadSent = false;
  let opened: Socket | undefined;
  const flush = (socket: Socket): void => {
    state.unsent = state.unsent.subarray(Math.max(0, socket.write(state.unsent)));
    if (state.unsent.length > 0 || isHeadSent) return;
    isHeadSent = true;
    state.unsent = body;
    flush(socket);
  };
  const finish = () => {
    const status = statusIn(state.start);
    const code = /"code":"(\w+)"|"type":"(\w+_error)"/.exec(state.start);
    resolve({ status, code: code?.[1] ?? code?.[2], bytes: state.bytes });
    begun.resolve();
  };
  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        opened = socket;
        flush(socket);
      },
      drain: flush,
      data(socket, bytes) {
        state.bytes += bytes.length;
        if (state.start.length < KEPT_BYTES) state.start += bytes.toString('latin1', 0, KEPT_BYTES);
        begun.resolve();
        if (stalls) socket.pause();
      },
      end: (socket) => void socket.end(),
      close: finish,
      error() {},
    },
  }).catch(finish);
  return { answered: promise, begun: begun.promise, leave: () => opened?.terminate() };
}
