import { brotliCompressSync } from 'node:zlib';
import { bearer } from '../../support/call.ts';
import { openRawClient, type RawClient, rawRequest } from '../../support/raw-client.ts';
import { ask, CHAT, onConnections, untilOver, userTurn, writeBody } from './ask.ts';
import type { Attack, Siege } from './attack.ts';

/** Bodies that do not end, that are large, or that become large. */
function begin({ url, key }: Siege, length: number, body: string): RawClient {
  const client = openRawClient(url);
  client.send(rawRequest(`POST ${CHAT}`, { headers: { ...bearer(key), 'content-length': `${length}` } }));
  client.send(body);
  return client;
}

async function leaveAtEnd(siege: Siege, clients: readonly RawClient[]): Promise<void> {
  await untilOver(siege);
  for (const client of clients) {
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(client.received())?.[1] ?? 0);
    if (status !== 0 || client.isClosed()) siege.noteStatus(status);
    client.leave();
  }
}

async function trickle(siege: Siege): Promise<void> {
  const clients = Array.from({ length: 9 }, () => begin(siege, 9_900_000, ' '.repeat(300_000)));
  const timer = setInterval(() => {
    for (const client of clients) if (!client.isClosed()) client.send(' '.repeat(7_000));
  }, 100);
  await leaveAtEnd(siege, clients);
  clearInterval(timer);
}

const withholdLast = (siege: Siege): Promise<void> =>
  leaveAtEnd(
    siege,
    Array.from({ length: siege.scaled(1_500) }, () => begin(siege, 250_000, ' '.repeat(249_999))),
  );

const bomb = () => new Uint8Array(brotliCompressSync(`{"messages":[${'[],'.repeat(3_000_000)}[]]}`));

/** The number of bodies that are sent at once; `--bodies` of the script. */
const BODIES = Number(process.env.ATTACK_BODIES ?? 150);

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
    run(siege) {
      const asked = { headers: { 'content-encoding': 'br' }, body: bomb() };
      return onConnections(siege, 20, () => ask(siege, CHAT, asked));
    },
  },
  {
    name: `${BODIES} bodies of 9.9 MB`,
    plan: 'enterprise',
    ms: 10_000,
    statuses: [200, 503, 0],
    run(siege) {
      const content = 'Words. '.repeat(siege.scaled(1_410_000));
      const body = writeBody('quick', { messages: userTurn(content) });
      return onConnections(siege, BODIES, () => ask(siege, CHAT, { body }), { isBilled: true });
    },
  },
];
