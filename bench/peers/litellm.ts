import { join } from 'node:path';
import { modelId } from '../workload.ts';
import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const key = 'sk-bench';

const formatConfiguration = (upstreamPort: number): string => `
model_list:
  - model_name: ${modelId}
    litellm_params:
      model: openai/${modelId}
      api_base: http://127.0.0.1:${upstreamPort}/v1
      api_key: bench-key
      input_cost_per_token: 0.000001
      output_cost_per_token: 0.000004
litellm_settings:
  num_retries: 0
general_settings:
  master_key: ${key}
`;

/**
 * LiteLLM's proxy with one worker. Its store of keys and spend needs a database and an engine that pip does
 * not install.
 */
export const litellm: Peer = {
  name: 'litellm',
  title: 'LiteLLM 1.106.6',
  language: 'Python',
  version: 'litellm-1.106.6',
  installation: {
    program: 'bin/litellm',
    commands: [
      ['python3', '-m', 'venv', '.'],
      ['bin/pip', 'install', '--quiet', 'litellm[proxy]==1.106.6'],
    ],
  },
  metering: 'one master key; the cost of each request, in a header of the answer',
  omits: 'keys of accounts, budgets, limits and records, which need its database',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    return startPeer(inputs, {
      name: 'litellm',
      readyPath: '/health/liveliness',
      startMs: 90_000,
      async buildCommand({ port, folder }) {
        const file = join(folder, 'config.yaml');
        await Bun.write(file, formatConfiguration(inputs.upstreamPort));
        const flags = { '--config': file, '--host': '127.0.0.1', '--port': String(port) };
        return [program, ...Object.entries(flags).flat(), '--num_workers', '1'];
      },
      environment: () => ({
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_LOG: 'ERROR',
        LITELLM_MODE: 'PRODUCTION',
      }),
      headers: { authorization: `Bearer ${key}` },
    });
  },
};
