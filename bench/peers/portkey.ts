import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Portkey's open-source gateway on Node: one process. Headers of each request select the upstream. */
export const portkey: Peer = {
  name: 'portkey',
  title: 'Portkey 1.15.2',
  language: 'TypeScript',
  version: 'portkey-1.15.2',
  installation: {
    program: 'node_modules/@portkey-ai/gateway/build/start-server.js',
    commands: [
      ['npm', 'init', '--yes'],
      // The version of its own lock file. With newer ones it answers streams with 500.
      ['npm', 'pkg', 'set', 'overrides[@hono/node-server]=1.3.3'],
      ['npm', 'install', ...QUIETLY, '@portkey-ai/gateway@1.15.2'],
    ],
  },
  metering: 'none: the open-source gateway has no metering',
  omits: 'keys, limits, usage, prices, records',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    return startPeer(inputs, {
      name: 'portkey',
      buildCommand: ({ port }) => ['node', program, '--headless', `--port=${port}`],
      environment: () => ({ NODE_ENV: 'production' }),
      headers: {
        authorization: 'Bearer bench-key',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${inputs.upstreamPort}/v1`,
      },
    });
  },
};
