import { EventCounter } from './event-counter.ts';
import { type StreamExpectation, type StreamRecord, summarizeStreams } from './summarize-streams.ts';

/** The streams that the client opens. The streams begin one after the other within a second. */
export type StreamOrder = {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  streams: number;
  expected: StreamExpectation;
  timeoutMs: number;
};

const rampMs = 1_000;

function formatRequest({ port, path, headers, body }: StreamOrder): string {
  const sentHeaders = {
    ...headers,
    host: `127.0.0.1:${port}`,
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(sentHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Reads one stream on a connection of its own. */
function readStream(order: StreamOrder, request: string): Promise<StreamRecord> {
  const counter = new EventCounter();
  const record: StreamRecord = { sentAt: 0, firstEventAt: null, longestGapMs: 0, events: 0, isEnded: false };
  let lastAt = 0;
  const { promise, resolve } = Promise.withResolvers<StreamRecord>();
  const finish = () => resolve({ ...record, events: counter.content, isEnded: counter.isEnded });
  const overdue = setTimeout(finish, order.timeoutMs);
  void Bun.connect({
    hostname: '127.0.0.1',
    port: order.port,
    socket: {
      open(socket) {
        socket.setNoDelay(true);
        record.sentAt = performance.now();
        socket.write(request);
      },
      data(socket, bytes) {
        if (counter.add(bytes.toString('latin1')) > 0) {
          const now = performance.now();
          if (record.firstEventAt === null) record.firstEventAt = now;
          else record.longestGapMs = Math.max(record.longestGapMs, now - lastAt);
          lastAt = now;
        }
        if (counter.isEnded) socket.end();
      },
      close: finish,
      error: finish,
      connectError: finish,
    },
  }).catch(finish);
  return promise.finally(() => clearTimeout(overdue));
}

/** Reads all streams of an order. A separate process: `stream-client.ts ORDER_FILE`. */
async function readStreams(order: StreamOrder) {
  const request = formatRequest(order);
  const records = Array.from({ length: order.streams }, async (_, index) => {
    await Bun.sleep((index * rampMs) / order.streams);
    return readStream(order, request);
  });
  return summarizeStreams(await Promise.all(records), order.expected);
}

if (import.meta.main) {
  const order: StreamOrder = await Bun.file(process.argv[2]!).json();
  console.log(`RESULT ${JSON.stringify(await readStreams(order))}`);
  process.exit(0);
}
