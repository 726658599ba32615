import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ChildProcesses } from '../child-processes.ts';
import { findFreePort } from '../find-free-port.ts';
import { buildGatewayCommand, createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';

/** The upstreams of a benchmark, which determine the capacity. */
export type Load = {
  /** The number of upstreams of each model. */
  models: Readonly<Record<string, number>>;
  /** The slots of each upstream, and its mean answer time. */
  slots: number;
  thinkingMs: number;
  queueWaitSeconds: number;
};

/** `controls` are the control addresses of the first upstream of each model. */
export type LoadedGateway = {
  url: string;
  controls: Readonly<Record<string, string>>;
  paid: string[];
  free: string[];
};

export type Surroundings = { children: ChildProcesses; directory: string };

/** Returns the capacity of a model in answers per second. */
export const capacityOf = ({ models, slots, thinkingMs }: Load, model: string): number =>
  (models[model]! * slots * 1_000) / thinkingMs;

const ACCOUNTS = 8;
/** Limits that no benchmark reaches. */
const wide = {
  requests_per_min: 100_000_000,
  requests_per_5min: null,
  concurrent: 100_000,
  tokens_per_min: 1_000_000_000_000,
  credits: 1_000_000_000,
  tokens_per_day: null,
  network_requests_per_min: null,
};

type Place = { model: string; id: string; url: string; control: string };

async function startUpstream(
  { children, directory }: Surroundings,
  { model, id, thinkingMs }: { model: string; id: string; thinkingMs: number },
): Promise<Place> {
  const [port, controlPort] = [findFreePort(), findFreePort()];
  const logFile = join(directory, `${id}.log`);
  const program = join(import.meta.dir, 'slow-upstream.ts');
  const child = children.start({
    command: [process.execPath, program, ...[port, controlPort, thinkingMs].map(String)],
    logFile,
  });
  const control = `http://127.0.0.1:${controlPort}`;
  await waitUntilAnswering({ url: control, child, logFile });
  return { model, id, url: `http://127.0.0.1:${port}`, control };
}

async function startUpstreams(around: Surroundings, { models, thinkingMs }: Load): Promise<Place[]> {
  const places: Place[] = [];
  for (const [model, count] of Object.entries(models))
    for (let number = 0; number < count; number++)
      places.push(await startUpstream(around, { model, id: `${model}-${number}`, thinkingMs }));
  return places;
}

const formatConfiguration = (places: readonly Place[], { models, slots, queueWaitSeconds }: Load): string =>
  stringify({
    server: { drain_notice_s: 0 },
    simulator: { mode: 'off' },
    log: { level: 'warn' },
    limits: { queue_wait_s: queueWaitSeconds },
    plans: { enterprise: wide, free: wide },
    providers: places.map(({ id, url }) => ({
      id,
      wire: 'openai-chat',
      base_url: `${url}/v1`,
      max_concurrent: slots,
    })),
    catalog: {
      default: false,
      models: Object.keys(models).map((id) => ({
        id,
        plan: 'free',
        kind: 'chat',
        delivery: 'exact',
        context_window: 131_072,
        pricing_usd_per_mtok: { input: 0.001, output: 0.001 },
        routes: places
          .filter(({ model }) => model === id)
          .map((place) => ({ provider: place.id, model: 'm' })),
      })),
    },
  });

/** Starts the gateway with slow upstreams and with accounts of both classes. */
export async function startLoadedGateway(around: Surroundings, load: Load): Promise<LoadedGateway> {
  const places = await startUpstreams(around, load);
  const dataDirectory = join(around.directory, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const configurationFile = join(around.directory, 'tollgate.yaml');
  await Bun.write(configurationFile, formatConfiguration(places, load));
  const port = findFreePort();
  const token = crypto.randomUUID();
  const logFile = join(around.directory, 'serve.log');
  const child = around.children.start({
    command: buildGatewayCommand({ port, dataDirectory, configurationFile, workers: 1 }),
    logFile,
    environment: { TOLLGATE_ADMIN_TOKEN: token },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
  const keysOf = (plan: string) =>
    Promise.all(Array.from({ length: ACCOUNTS }, () => createKey(url, token, plan)));
  const controls = Object.fromEntries(places.toReversed().map(({ model, control }) => [model, control]));
  return { url, controls, paid: await keysOf('enterprise'), free: await keysOf('free') };
}
