import { brotliCompressSync } from 'node:zlib';
import { bearer } from '../../support/call.ts';
import { openRawClient, type RawClient, rawRequest, statusIn } from '../../support/raw-client.ts';
import { ask, CHAT, onConnections, untilOver, userTurn, writeBody } from './ask.ts';
import type { Attack, AttackSession } from './attack.ts';

/** Begins an upload of a body of this length. */
function begin({ url, key }: AttackSession, length: number, body: string): RawClient {
  const client = openRawClient(url);
  client.send(rawRequest(`POST ${CHAT}`, { headers: { ...bearer(key), 'content-length': `${length}` } }));
  client.send(body);
  return client;
}

async function leaveAtEnd(session: AttackSession, clients: readonly RawClient[]): Promise<void> {
  await untilOver(session);
  for (const client of clients) {
    const status = statusIn(client.received());
    if (status !== 0 || client.isClosed()) session.noteStatus(status);
    client.leave();
  }
}

async function trickle(session: AttackSession): Promise<void> {
  const clients = Array.from({ length: 9 }, () => begin(session, 9_900_000, ' '.repeat(300_000)));
  const timer = setInterval(() => {
    for (const client of clients) if (!client.isClosed()) client.send(' '.repeat(7_000));
  }, 100);
  await leaveAtEnd(session, clients);
  clearInterval(timer);
}

const withholdLast = (session: AttackSession): Promise<void> =>
  leaveAtEnd(
    session,
    Array.from({ length: session.scaled(1_500) }, () => begin(session, 250_000, ' '.repeat(249_999))),
  );

const compressionBomb = () =>
  new Uint8Array(brotliCompressSync(`{"messages":[${'[],'.repeat(3_000_000)}[]]}`));

/** The number of bodies that are sent at once, as `--bodies` of the script sets it. */
const BODIES = Number(process.env.ATTACK_BODIES ?? 150);

/** Attacks with bodies that are large, become large or do not end. */
export const uploadAttacks: readonly Attack[] = [
  {
    name: '9 trickling uploads',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [408],
    bystander: { bodyBytes: 300_000 },
    run: trickle,
  },
  {
    name: '1,500 bodies without their last byte',
    plan: 'enterprise',
    ms: 6_000,
    statuses: [408, 503, 0],
    run: withholdLast,
  },
  {
    name: 'brotli bombs',
    plan: 'enterprise',
    ms: 5_000,
    statuses: [413],
    run(session) {
      const request = { headers: { 'content-encoding': 'br' }, body: compressionBomb() };
      return onConnections(session, 20, () => ask(session, CHAT, request));
    },
  },
  {
    name: `${BODIES} bodies of 9.9 MB`,
    plan: 'enterprise',
    ms: 10_000,
    statuses: [200, 503, 0],
    run(session) {
      const content = 'Words. '.repeat(session.scaled(1_410_000));
      const body = writeBody('quick', { messages: userTurn(content) });
      return onConnections(session, BODIES, () => ask(session, CHAT, { body }), { isBilled: true });
    },
  },
];
