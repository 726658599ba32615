import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { keysOf, mapValues } from '../../src/base/lib/records.ts';
import { findFreePort } from '../find-free-port.ts';
import { buildGatewayCommand, createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { widePlan } from '../wide-plan.ts';
import type { Workplace } from '../workplace.ts';
import type { Load } from './load.ts';
import { type SlowUpstream, startSlowUpstreams } from './start-slow-upstreams.ts';

type LoadedGateway<Model extends string> = {
  url: string;
  /** The control address of the first upstream of each model. */
  controls: Readonly<Record<Model, string>>;
  /** A key of each account, by the plan of the account. */
  paid: readonly string[];
  free: readonly string[];
};

const ACCOUNTS_OF_PLAN = 8;
const unboundedPlan = { ...widePlan, concurrent: 100_000, credits: 1_000_000_000 };

const formatConfiguration = <Model extends string>(
  upstreams: readonly SlowUpstream<Model>[],
  { models, slots, queueWaitSeconds }: Load<Model>,
): string =>
  stringify({
    server: { drain_notice_s: 0 },
    simulator: { mode: 'off' },
    log: { level: 'warn' },
    limits: { queue_wait_s: queueWaitSeconds },
    plans: { enterprise: unboundedPlan, free: unboundedPlan },
    providers: upstreams.map(({ id, url }) => ({
      id,
      wire: 'openai-chat',
      base_url: `${url}/v1`,
      max_concurrent: slots,
    })),
    catalog: {
      default: false,
      models: keysOf(models).map((id) => ({
        id,
        plan: 'free',
        kind: 'chat',
        delivery: 'exact',
        context_window: 131_072,
        pricing_usd_per_mtok: { input: 0.001, output: 0.001 },
        routes: upstreams
          .filter(({ model }) => model === id)
          .map((upstream) => ({ provider: upstream.id, model: 'm' })),
      })),
    },
  });

/** Starts the gateway with slow upstreams and with paid and Free accounts. */
export async function startLoadedGateway<Model extends string>(
  workplace: Workplace,
  load: Load<Model>,
): Promise<LoadedGateway<Model>> {
  const { children, directory } = workplace;
  const upstreams = await startSlowUpstreams(workplace, load);
  const dataDirectory = join(directory, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const configurationFile = join(directory, 'tollgate.yaml');
  await Bun.write(configurationFile, formatConfiguration(upstreams, load));
  const port = findFreePort();
  const token = crypto.randomUUID();
  const logFile = join(directory, 'serve.log');
  const child = children.start({
    command: buildGatewayCommand({ port, dataDirectory, configurationFile, workers: 1 }),
    logFile,
    environment: { TOLLGATE_ADMIN_TOKEN: token },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
  const createKeys = (plan: 'enterprise' | 'free') =>
    Promise.all(Array.from({ length: ACCOUNTS_OF_PLAN }, () => createKey({ url, token, plan })));
  const controlOf = (wanted: Model) => upstreams.find(({ model }) => model === wanted)!.control;
  return {
    url,
    controls: mapValues(load.models, (_, model) => controlOf(model)),
    paid: await createKeys('enterprise'),
    free: await createKeys('free'),
  };
}
