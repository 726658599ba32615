import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ReaderGone } from './reader-gone.ts';
import type { WrittenBody } from './reply.ts';
import { type BodyWatch, streamBody } from './stream-body.ts';

const stops: (() => unknown)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

const PIECE = 'x'.repeat(64 * 1024);
/** More than the buffers of both sockets can hold. */
const MAX_PIECES = 2_000;

/**
 * A client that reads the first piece of a body and then stops, and the result for the writer. `taken` is the
 * connection's count.
 */
function stall(taken: () => number | undefined) {
  const gone = Promise.withResolvers<unknown>();
  const body: WrittenBody = async (writer) => {
    try {
      for (let piece = 0; piece < MAX_PIECES; piece++) await writer.write(PIECE);
      gone.resolve('written to its end');
    } catch (error) {
      gone.resolve(error);
      throw error;
    }
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      const watch: BodyWatch = {
        client: request.signal,
        stalledMs: 30,
        bytesTaken: taken,
        onFailure: () => {},
        onEnding: () => {},
        onFinished: () => {},
      };
      return new Response(streamBody(body, watch));
    },
  });
  const client = connect(server.port!, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  client.once('data', () => client.pause());
  stops.push(
    () => client.destroy(),
    () => server.stop(true),
  );
  return gone.promise;
}

test('waits for a reader as long as it takes enough in each interval', async () => {
  let taken = 0;
  let asked = 0;
  const gone = await stall(() => {
    asked++;
    if (asked < 10) taken += 4 * 1024;
    return taken;
  });
  expect(gone).toBeInstanceOf(ReaderGone);
  expect(asked).toBeGreaterThanOrEqual(10);
});

test('gives up a reader at once that takes too little, or whose progress is unknown', async () => {
  let taken = 0;
  expect(await stall(() => taken++)).toBeInstanceOf(ReaderGone);
  expect(await stall(() => undefined)).toBeInstanceOf(ReaderGone);
});
