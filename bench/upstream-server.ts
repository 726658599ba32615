import type { Socket } from 'bun';
import { streamFrames, unaryAnswer } from './workload.ts';

// Serves prebuilt answers over raw sockets. A request takes 8 µs of CPU, and 12 µs on an HTTP server.
// Each event is a separate write, so that events do not arrive joined.
// It runs as a process of its own: `node scripts/run.mjs bench/upstream-server.ts PORT INTERVAL_MS`.

type Connection = { received: Buffer; nextWrite: number };

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

const formatChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const unaryLength = Buffer.byteLength(unaryAnswer);
const unaryHead = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${unaryLength}\r\n\r\n`;

const unaryWrite = Buffer.from(unaryHead + unaryAnswer);
const lastFrame = streamFrames.length - 1;
const streamWrites = streamFrames.map((frame, index) =>
  Buffer.from((index === 0 ? streamHead : '') + formatChunk(frame) + (index === lastFrame ? LAST_CHUNK : '')),
);
const empty = Buffer.alloc(0);

/** Returns the end of the first request in the buffer, or -1 while the request is incomplete. */
function findRequestEnd(received: Buffer): number {
  const headLength = received.indexOf(HEAD_END);
  if (headLength < 0) return -1;
  const head = received.toString('latin1', 0, headLength);
  const bodyStart = headLength + HEAD_END.length;
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = bodyStart + Number(length);
    return received.length < end ? -1 : end;
  }
  if (!/transfer-encoding: *chunked/i.test(head)) return bodyStart;
  const lastChunk = received.indexOf(LAST_CHUNK, bodyStart);
  return lastChunk < 0 ? -1 : lastChunk + LAST_CHUNK.length;
}

function serve(port: number, intervalMs: number) {
  const streaming = new Set<Socket<Connection>>();

  const writeNext = (socket: Socket<Connection>) => {
    socket.write(streamWrites[socket.data.nextWrite]!);
    socket.data.nextWrite += 1;
    if (socket.data.nextWrite === streamWrites.length) streaming.delete(socket);
  };

  const answer = (socket: Socket<Connection>, request: Buffer) => {
    if (request.indexOf('"stream":true') < 0) return socket.write(unaryWrite);
    socket.data.nextWrite = 0;
    streaming.add(socket);
    return writeNext(socket);
  };

  Bun.listen<Connection>({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.data = { received: empty, nextWrite: 0 };
        socket.setNoDelay(true);
      },
      data(socket, bytes) {
        const { received } = socket.data;
        const all = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
        const end = findRequestEnd(all);
        // Clients of the benchmark do not pipeline, so bytes after the request are dropped.
        socket.data.received = end < 0 ? Buffer.from(all) : empty;
        if (end >= 0) answer(socket, all);
      },
      close: (socket) => void streaming.delete(socket),
      error: (socket) => void streaming.delete(socket),
    },
  });
  setInterval(() => streaming.forEach(writeNext), intervalMs);
}

if (import.meta.main) serve(Number(process.argv[2]), Number(process.argv[3]));
