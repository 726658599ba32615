import type { Socket } from 'node:net';
import type { Attack } from './attack.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';
import { beginRequest } from './strained-client.ts';
import { chatBody } from './straining-bodies.ts';

const STREAMS_AT_A_TIME = 100;
const WARM_UP_STREAMS = 300;
const STREAMS = 2_000;
/** In this time the gateway frees what the start of a stream needed. */
const SETTLING_MS = 6_000;

/** Opens a stream, and resolves when its first event has arrived. */
function openStream(gateway: StrainedGateway, path: string): Promise<Socket> {
  const body = chatBody({ model: 'idle', stream: true, max_tokens: 100 });
  const socket = beginRequest(gateway, { path, body, contentLength: body.length });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('data', (data) => {
      if (data.toString().startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(data.toString()));
    });
  });
}

async function openStreams(gateway: StrainedGateway, path: string, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const missing = Math.min(STREAMS_AT_A_TIME, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: missing }, () => openStream(gateway, path)))));
  }
  return sockets;
}

/** Measures the resident memory of streams whose upstream sends nothing after its first event. */
export const idleStreams =
  (path: string): Attack =>
  async (gateway) => {
    for (const socket of await openStreams(gateway, path, WARM_UP_STREAMS)) socket.destroy();
    await Bun.sleep(SETTLING_MS);
    const before = (await gateway.strain()).residentMb;
    const sockets = await openStreams(gateway, path, STREAMS);
    await Bun.sleep(SETTLING_MS);
    const after = (await gateway.strain()).residentMb;
    for (const socket of sockets) socket.destroy();
    return `${(((after - before) * 1_024) / STREAMS).toFixed(1)} kB for each of ${STREAMS} streams`;
  };
