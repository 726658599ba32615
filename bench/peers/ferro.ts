import { join } from 'node:path';
import { stringify } from 'yaml';
import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const key = 'fgw_bench-master-key';
/** Its router passes on only models of its catalog. The upstream answers alike for each name. */
const model = 'gpt-4o-mini';

/** Returns an entry for each stage. A plugin must have the same settings in all of its stages. */
const pluginAt = (stages: readonly string[], plugin: object) =>
  stages.map((stage) => ({ ...plugin, stage, enabled: true }));

const configuration = {
  strategy: { mode: 'single' },
  targets: [{ virtual_key: 'openai', weight: 1, retry: { attempts: 1 } }],
  plugins: [
    ...pluginAt(['before_request'], {
      name: 'rate-limit',
      type: 'guardrail',
      config: { requests_per_second: 1_000_000, key_rpm: 100_000_000 },
    }),
    ...pluginAt(['before_request', 'after_request'], {
      name: 'budget',
      type: 'guardrail',
      config: {
        store_id: 'default',
        spend_limit_usd: 1_000_000_000,
        input_per_m_tokens: 1,
        output_per_m_tokens: 4,
      },
    }),
    ...pluginAt(['before_request', 'after_request', 'on_error'], {
      name: 'request-logger',
      type: 'logging',
      config: { level: 'warn', persist: true },
    }),
  ],
};

/** Ferro's gateway with its plugins for limits, a budget and persistent request logs on SQLite. */
export const ferro: Peer = {
  name: 'ferro',
  title: 'Ferro',
  language: 'Go',
  version: 'ferro',
  installation: null,
  metering: 'one master key, requests a minute, a budget in memory, request logs in SQLite',
  omits: 'a reservation before the request, and a budget that survives a restart',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    const system = await startPeer(inputs, {
      name: 'ferro',
      async buildCommand({ folder }) {
        await Bun.write(join(folder, 'config.yaml'), stringify(configuration));
        return [program];
      },
      environment: ({ port, folder }) => ({
        PORT: String(port),
        GATEWAY_CONFIG: join(folder, 'config.yaml'),
        MASTER_KEY: key,
        OPENAI_API_KEY: 'bench-key',
        OPENAI_BASE_URL: `http://127.0.0.1:${inputs.upstreamPort}/v1`,
        REQUEST_LOG_STORE_BACKEND: 'sqlite',
        REQUEST_LOG_STORE_DSN: join(folder, 'requests.db'),
        RATE_LIMIT_RPS: '10000000',
        RATE_LIMIT_BURST: '10000000',
        LOG_LEVEL: 'error',
      }),
      headers: { authorization: `Bearer ${key}` },
    });
    return { ...system, model };
  },
};
