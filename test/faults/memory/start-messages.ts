import { connect } from 'node:net';
import type { StrainedServer } from './start-strained-server.ts';

const FINAL_TEXT = 0x81;
const MASKED_LONG = 0x80 | 127;
const PIECES = 6;
const PIECE_MS = 500;

/** Begins a message of `bytes` on each of many WebSockets of one key, and sends all but its last byte. */
export function startMessages({ server, keyOf }: StrainedServer, times: number, bytes: number) {
  const sockets = Array.from({ length: times }, () => startMessage(server.url, keyOf(0), bytes));
  return {
    /** Resolves when every message is sent, or its socket is closed. */
    sent: Promise.all(sockets.map(({ sent }) => sent)),
    countClosed: () => sockets.filter(({ isClosed }) => isClosed()).length,
    leave: () => {
      for (const { leave } of sockets) leave();
    },
  };
}

function startMessage(url: string, key: string, bytes: number) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let isClosed = false;
  socket.on('error', () => {});
  socket.on('close', () => (isClosed = true));
  socket.on('end', () => (isClosed = true));
  const sent = (async () => {
    socket.write(
      `GET /v1/responses HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
        'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await new Promise((resolve) => socket.once('data', resolve));
    const head = Buffer.alloc(14);
    head[0] = FINAL_TEXT;
    head[1] = MASKED_LONG;
    head.writeBigUInt64BE(BigInt(bytes), 2);
    socket.write(head);
    const piece = Buffer.alloc(Math.floor((bytes - 1) / PIECES), 'a');
    for (let index = 0; index < PIECES && !isClosed; index++) {
      socket.write(piece);
      await Bun.sleep(PIECE_MS);
    }
  })();
  return { sent, isClosed: () => isClosed, leave: () => socket.destroy() };
}
