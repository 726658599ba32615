import { join } from 'node:path';
import { stringify } from 'yaml';
import { findFreePort } from '../find-free-port.ts';
import { modelId } from '../workload.ts';
import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const adminToken = 'bench-admin-token';

type Place = { port: number; adminPort: number; upstreamPort: number; folder: string };

const configure = ({ port, adminPort, folder }: Place) => ({
  listen: `127.0.0.1:${port}`,
  admin_listen: `127.0.0.1:${adminPort}`,
  'identity-providers': { 'admin-tokens': { module: 'admin-tokens', token: { env: 'BUSBAR_ADMIN_TOKEN' } } },
  auth: { signing_key: { file: join(folder, 'signing.key') }, chain: ['keys'], admin_auth: ['admin-tokens'] },
  groups: {
    bench: {
      limits: [
        { requests: 1_000_000_000, per: 'minute' },
        { budget: 1_000_000_000, per: 'month' },
      ],
    },
  },
  rate_card: { [modelId]: { input_utok: 1, output_utok: 4 } },
  providers: { bench: { api_key: { env: 'BENCH_KEY' } } },
  models: { [modelId]: { provider: 'bench', max_concurrent: 8_000 } },
});

const configureProviders = (upstreamPort: number) => ({
  bench: { protocol: 'openai', base_url: `http://127.0.0.1:${upstreamPort}`, error_map: {} },
});

async function mintKey(adminPort: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/api/v1/admin/keys`, {
    method: 'POST',
    headers: { 'x-admin-token': adminToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', group: 'bench' }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the key was refused: ${answer.status} ${text.slice(0, 200)}`);
  return JSON.parse(text).secret;
}

/** Busbar with a signed key, a group with limits and a budget, and its store in memory. */
export const busbar: Peer = {
  name: 'busbar',
  title: 'Busbar',
  language: 'Rust',
  version: 'busbar',
  installation: null,
  metering: 'a signed key, requests a minute and a budget, counted in memory',
  omits: 'durable records: its stores on disk are plugins',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    const { upstreamPort } = inputs;
    const adminPort = findFreePort();
    const system = await startPeer(inputs, {
      name: 'busbar',
      async buildCommand({ port, folder }) {
        const { stdout } = Bun.spawnSync([program, '--generate-signing-key'], { timeout: 5_000 });
        await Bun.write(join(folder, 'signing.key'), stdout);
        const place = { port, adminPort, upstreamPort, folder };
        await Bun.write(join(folder, 'config.yaml'), stringify(configure(place)));
        await Bun.write(join(folder, 'providers.yaml'), stringify(configureProviders(upstreamPort)));
        return [program];
      },
      environment: ({ folder }) => ({
        BUSBAR_CONFIG: join(folder, 'config.yaml'),
        BUSBAR_PROVIDERS: join(folder, 'providers.yaml'),
        BUSBAR_STATE_FILE: '',
        BUSBAR_ADMIN_TOKEN: adminToken,
        BENCH_KEY: 'bench-key',
      }),
    });
    return { ...system, headers: { authorization: `Bearer ${await mintKey(adminPort)}` } };
  },
};
