import { join } from 'node:path';
import { modelId } from '../workload.ts';
import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const key = 'sk-bench';

type Place = { port: number; upstreamPort: number; folder: string };

const formatConfiguration = ({ port, upstreamPort, folder }: Place): string => `
listen = "127.0.0.1:${port}"

[providers.bench]
kind = "openai"
base_url = "http://127.0.0.1:${upstreamPort}/v1"
api_key = "bench-key"
models = ["${modelId}"]
max_retries = 0

[[keys]]
name = "bench"
key = "${key}"
models = ["*"]

[models.${modelId}]
context_length = 131072

[models.${modelId}.pricing]
input_cost_per_million = 1.0
output_cost_per_million = 4.0

[extensions.rate_limit]
requests_per_minute = 1000000000

[extensions.usage]

[extensions.budget]
default_budget = 1000000000.0

[storage]
kind = "sqlite"
path = "${join(folder, 'crabllm.db')}"
`;

/** crabllm with its extensions for limits, usage and budgets on SQLite. */
export const crabllm: Peer = {
  name: 'crabllm',
  title: 'crabllm 0.0.25',
  language: 'Rust',
  version: 'crabllm-0.0.25',
  installation: {
    program: 'bin/crabllm',
    commands: [
      [
        'cargo',
        'install',
        'crabllm',
        '--version=0.0.25',
        '--locked',
        '--features=storage-sqlite',
        '--root=.',
      ],
    ],
  },
  metering: 'a key, requests a minute, usage and a budget, counted in SQLite',
  omits: 'a reservation before the request, and an entry for each request',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    const { upstreamPort } = inputs;
    return startPeer(inputs, {
      name: 'crabllm',
      async buildCommand({ port, folder }) {
        const file = join(folder, 'crabllm.toml');
        await Bun.write(file, formatConfiguration({ port, upstreamPort, folder }));
        return [program, 'serve', '--config', file];
      },
      headers: { authorization: `Bearer ${key}` },
    });
  },
};
