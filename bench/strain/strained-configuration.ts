import { stringify } from 'yaml';
import { entriesOf, keysOf } from '../../src/base/lib/records.ts';
import { widePlan } from '../wide-plan.ts';
import { strainModels, strainWires } from './strain-models.ts';

/** Settings of the server that differ between attacks. */
export type StrainedServer = { trusted_proxies?: readonly string[]; memory_limit_mb?: number };

/** Each model is a provider of its own on each wire, with the base address that the upstream expects. */
const places = entriesOf(strainWires).flatMap(([wire, { id, suffix }]) =>
  keysOf(strainModels).map((model) => ({ name: `${model}${suffix}`, wire: id, path: `${wire}/${model}` })),
);

const modelDefaults = {
  plan: 'free',
  kind: 'chat',
  delivery: 'exact',
  context_window: 100_000_000,
  pricing_usd_per_mtok: { input: 0.001, output: 0.001 },
  capabilities: { tools: true, vision: true },
};

export const formatStrainedConfiguration = (upstreamPort: number, server: StrainedServer): string =>
  stringify({
    server: { drain_notice_s: 0, ...server },
    simulator: { mode: 'off' },
    log: { level: 'warn' },
    plans: { enterprise: { ...widePlan, credits: 1_000_000_000 } },
    providers: places.map(({ name, wire, path }) => ({
      id: name,
      wire,
      base_url: `http://127.0.0.1:${upstreamPort}/${path}`,
      api_key: 'none',
    })),
    catalog: {
      default: false,
      models: places.map(({ name }) => ({
        ...modelDefaults,
        id: name,
        routes: [{ provider: name, model: name }],
      })),
    },
  });
