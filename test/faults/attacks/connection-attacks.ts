import { bearer } from '../../support/call.ts';
import { openRawClient, type RawClient, rawRequest, statusIn } from '../../support/raw-client.ts';
import { CHAT, untilOver, userTurn } from './ask.ts';
import type { Attack, AttackSession } from './attack.ts';

/** The address of the attacker's client network. */
const FROM = '127.0.0.2';
const DRIP_MS = 500;

/** Opens connections, keeps them until the time is up and closes them. */
async function hold(
  session: AttackSession,
  count: number,
  begin: (client: RawClient, number: number) => void,
) {
  const clients = Array.from({ length: session.scaled(count) }, (_, number) => {
    const client = openRawClient(session.url, { from: FROM });
    begin(client, number);
    return client;
  });
  await untilOver(session);
  for (const client of clients) {
    session.noteStatus(statusIn(client.received()));
    client.leave();
  }
}

const modelRequest = rawRequest('GET /v1/models/quick');
const headWithoutEnd = 'GET / HTTP/1.1\r\nhost: a\r\nx: ';

/**
 * Makes a third of the connections idle after an answer. The others send the head of a first or a second
 * request byte by byte.
 */
function idleOrDripping(client: RawClient, number: number): void {
  if (number % 3 !== 1) client.send(modelRequest);
  if (number % 3 === 0) return;
  client.send(headWithoutEnd);
  void client.drip('a', DRIP_MS);
}

/** Requests a whole answer, and reads nothing. */
function unread({ key }: AttackSession, client: RawClient, path: string): void {
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

/** Attacks that keep connections of the server occupied. */
export const connectionAttacks: readonly Attack[] = [
  {
    name: '640 idle and dripping connections',
    plan: 'free',
    ms: 14_000,
    statuses: [200, 0],
    descriptors: 600,
    run: (session) => hold(session, 640, idleOrDripping),
  },
  {
    name: '60 unread answers of 12 MB',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 0],
    models: ['whole-12'],
    run: (session) => hold(session, 60, (client) => unread(session, client, CHAT)),
  },
  {
    name: '60 unread answers of 12 MB, translated',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 529, 0],
    models: ['whole-12'],
    run: (session) => hold(session, 60, (client) => unread(session, client, '/v1/messages')),
  },
  {
    name: 'bodies after a 401',
    plan: 'free',
    ms: 5_000,
    // 0: a reset after the refusal can overtake the answer.
    statuses: [401, 0],
    run: (session) => hold(session, 100, behindRefusal),
  },
];
