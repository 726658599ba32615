import { join } from 'node:path';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

/** The cost of the runtime alone, without a gateway. */
export const bareBun: Peer = {
  name: 'bare-bun',
  title: 'a proxy of 20 lines on Bun',
  language: 'TypeScript',
  version: 'bare-bun',
  installation: null,
  metering: 'none: it reads a request and sends it again',
  omits: 'keys, models, limits, usage and prices',
  async start(inputs) {
    const program = join(import.meta.dir, 'bare-bun-server.ts');
    return startPeer(inputs, {
      name: 'bare-bun',
      buildCommand: ({ port }) => [process.execPath, program, String(port), String(inputs.upstreamPort)],
      environment: () => ({ BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' }),
    });
  },
};
