import { bearer } from '../../support/call.ts';
import { openRawClient, type RawClient, rawRequest } from '../../support/raw-client.ts';
import { CHAT, untilOver, userTurn } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

// Connections that hold on to the server. They come from a client network of their own.
const FROM = '127.0.0.2';
const DRIP_MS = 500;
const statusIn = (received: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);

/** Opens that many at once, keeps them until the time is up and leaves. */
async function hold(siege: Siege, count: number, begin: (client: RawClient, number: number) => void) {
  const clients = Array.from({ length: siege.scaled(count) }, (_, number) => {
    const client = openRawClient(siege.url, { from: FROM });
    begin(client, number);
    return client;
  });
  await untilOver(siege);
  for (const client of clients) {
    siege.noteStatus(statusIn(client.received()));
    client.leave();
  }
}

const modelRequest = rawRequest('GET /v1/models/quick');
const headWithoutEnd = 'GET / HTTP/1.1\r\nhost: a\r\nx: ';

/** A third is idle after an answer, a third drips its first head, a third its second. */
function idleOrDripping(client: RawClient, number: number): void {
  if (number % 3 !== 1) client.send(modelRequest);
  if (number % 3 === 0) return;
  client.send(headWithoutEnd);
  void client.drip('a', DRIP_MS);
}

/** Requests a whole answer, and reads nothing. */
function unread({ key }: Siege, client: RawClient, path: string): void {
  client.socket.pause();
  const body = { model: 'whole-12', max_tokens: 9, messages: userTurn('hello') };
  client.send(rawRequest(`POST ${path}`, { headers: { ...bearer(key), 'x-api-key': key }, body }));
}

/** Sends a body of 10 MB with a wrong key, as fast as the server reads it. */
function behindRefusal(client: RawClient): void {
  const headers = { ...bearer('svc_wrong'), 'content-length': '10000000' };
  client.send(rawRequest(`POST ${CHAT}`, { headers }));
  void client.drip('x'.repeat(64 * 1024), 10);
}

export const connectionAttacks: readonly Attack[] = [
  {
    name: '640 idle and dripping connections',
    plan: 'free',
    ms: 14_000,
    statuses: [200, 0],
    descriptors: 600,
    run: (siege) => hold(siege, 640, idleOrDripping),
  },
  {
    name: '60 unread answers of 12 MB',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 0],
    models: ['whole-12'],
    run: (siege) => hold(siege, 60, (client) => unread(siege, client, CHAT)),
  },
  {
    name: '60 unread answers of 12 MB, translated',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 529, 0],
    models: ['whole-12'],
    run: (siege) => hold(siege, 60, (client) => unread(siege, client, '/v1/messages')),
  },
  {
    name: 'bodies after a 401',
    plan: 'free',
    ms: 5_000,
    // 0: a reset after the refusal can overtake the answer.
    statuses: [401, 0],
    run: (siege) => hold(siege, 100, behindRefusal),
  },
];
