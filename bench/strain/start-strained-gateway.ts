import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findFreePort } from '../find-free-port.ts';
import type { Surroundings } from '../overload/start-loaded-gateway.ts';
import { createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';

export type Strain = { stallMs: number; stallCpuMs: number; peakMb: number; residentMb: number };
export type StrainedGateway = {
  url: string;
  /** The token of the admin API. */
  token: string;
  port: number;
  key: string;
  bystander: string;
  /** Returns stalls and memory since the last call. */
  strain(): Promise<Strain>;
};

const MODELS = ['thinks', 'whole-0', 'whole-60', 'whole-30', 'whole-10', 'stream-24', 'frame-10', 'idle'];
/** The models have different names on each wire: `whole-60` and `whole-60-messages`. */
const WIRES = { '': 'openai-chat', '-messages': 'anthropic-messages', '-responses': 'openai-responses' };
const wide = {
  requests_per_min: 1_000_000,
  requests_per_5min: null,
  concurrent: 10_000,
  tokens_per_min: 1_000_000_000_000,
  credits: 1_000_000_000,
  tokens_per_day: null,
  network_requests_per_min: null,
};

const configuration = (upstreamPort: number, settings: Readonly<Record<string, unknown>>): string =>
  stringify({
    server: { drain_notice_s: 0 },
    simulator: { mode: 'off' },
    log: { level: 'warn' },
    plans: { enterprise: wide },
    providers: Object.entries(WIRES).map(([suffix, wire]) => ({
      id: `upstream${suffix}`,
      wire,
      base_url: `http://127.0.0.1:${upstreamPort}/v1`,
      ...(suffix !== '' && { api_key: 'none' }),
    })),
    catalog: {
      default: false,
      models: Object.keys(WIRES).flatMap((suffix) =>
        MODELS.map((model) => ({
          id: model + suffix,
          plan: 'free',
          kind: 'chat',
          delivery: 'exact',
          context_window: 100_000_000,
          pricing_usd_per_mtok: { input: 0.001, output: 0.001 },
          capabilities: { tools: true, vision: true },
          routes: [{ provider: `upstream${suffix}`, model }],
        })),
      ),
    },
    ...settings,
  });

/** Starts the gateway with an upstream of large answers, and watches its event loop and memory. */
export async function startStrainedGateway(
  { children, directory }: Surroundings,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<StrainedGateway> {
  const [upstreamPort, strainPort, port] = [findFreePort(), findFreePort(), findFreePort()];
  const token = crypto.randomUUID();
  const upstream = join(import.meta.dir, 'strain-upstream.ts');
  children.start({
    command: [process.execPath, upstream],
    logFile: join(directory, 'upstream.log'),
    environment: { UPSTREAM_PORT: String(upstreamPort) },
  });
  const configurationFile = join(directory, 'tollgate.yaml');
  await Bun.write(configurationFile, configuration(upstreamPort, settings));
  const dataDirectory = join(directory, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const preload = join(import.meta.dir, 'watch-strain.ts');
  const main = join(import.meta.dir, '..', '..', 'src', 'program', 'main.ts');
  const flags = ['--port', String(port), '--data', dataDirectory, '--config', configurationFile];
  const logFile = join(directory, 'serve.log');
  const child = children.start({
    command: [process.execPath, '--preload', preload, main, 'serve', ...flags],
    logFile,
    environment: {
      TOLLGATE_ADMIN_TOKEN: token,
      STRAIN_PORT: String(strainPort),
      TOLLGATE_LOCAL_SERVERS: 'off',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
  return {
    url,
    port,
    token,
    key: await createKey(url, token),
    bystander: await createKey(url, token),
    strain: async () => (await fetch(`http://127.0.0.1:${strainPort}`)).json() as Promise<Strain>,
  };
}
