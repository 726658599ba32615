import { join } from 'node:path';
import { modelId } from '../workload.ts';
import { findProgram } from './find-program.ts';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

const key = 'bench-master-key';

/** GoModel with its usage records on SQLite. It is configured by its environment. */
export const gomodel: Peer = {
  name: 'gomodel',
  title: 'GoModel',
  language: 'Go',
  version: 'gomodel',
  installation: null,
  metering: 'one master key; usage records in SQLite, written every five seconds',
  omits: 'limits for each minute, a reservation, and records before the end of the answer',
  async start(inputs) {
    const program = findProgram(this, inputs.programs);
    return startPeer(inputs, {
      name: 'gomodel',
      buildCommand: () => [program],
      environment: ({ port, folder }) => ({
        PORT: String(port),
        GOMODEL_MASTER_KEY: key,
        OPENAI_API_KEY: 'bench-key',
        OPENAI_BASE_URL: `http://127.0.0.1:${inputs.upstreamPort}/v1`,
        OPENAI_MODELS: modelId,
        MODEL_LIST_URL: '',
        GOMODEL_CACHE_DIR: join(folder, 'cache'),
        SQLITE_PATH: join(folder, 'gomodel.db'),
        USAGE_ENABLED: 'true',
        LOGGING_ENABLED: 'false',
        LOG_LEVEL: 'warn',
      }),
      headers: { authorization: `Bearer ${key}` },
    });
  },
};
