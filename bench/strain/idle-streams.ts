import { connect, type Socket } from 'node:net';
import type { StrainedGateway } from './start-strained-gateway.ts';

const STREAMS_AT_A_TIME = 100;
const WARM_UP_STREAMS = 300;
const STREAMS = 2_000;
/** In this time the gateway frees what the start of a stream needed. */
const SETTLING_MS = 6_000;

type StreamOrder = { count: number; path: string };

/** Opens streams, and resolves when the first event of each has arrived. */
async function open({ port, key }: StrainedGateway, { count, path }: StreamOrder): Promise<Socket[]> {
  const messages = [{ role: 'user', content: 'hi' }];
  const body = JSON.stringify({ model: 'idle', stream: true, max_tokens: 100, messages });
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: a',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const openOne = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', reject);
      socket.once('data', (data) => {
        if (data.toString().startsWith('HTTP/1.1 200')) resolve(socket);
        else reject(new Error(data.toString()));
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    });
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const missing = Math.min(STREAMS_AT_A_TIME, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: missing }, openOne))));
  }
  return sockets;
}

/** Measures the resident memory of streams whose upstream sends nothing after its first event. */
export const idleStreams =
  (path: string) =>
  async (gateway: StrainedGateway): Promise<string> => {
    for (const socket of await open(gateway, { count: WARM_UP_STREAMS, path })) socket.destroy();
    await Bun.sleep(SETTLING_MS);
    const before = (await gateway.strain()).residentMb;
    const sockets = await open(gateway, { count: STREAMS, path });
    await Bun.sleep(SETTLING_MS);
    const after = (await gateway.strain()).residentMb;
    for (const socket of sockets) socket.destroy();
    return `${(((after - before) * 1_024) / STREAMS).toFixed(1)} kB for each of ${STREAMS} streams`;
  };
