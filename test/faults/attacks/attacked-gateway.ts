import { sampleModel } from '../../support/sample-config.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import type { Attack } from './attack.ts';
import { spawnProcess } from './spawn-process.ts';

export type AttackedGateway = {
  server: TestServer;
  /** The address of the bystander's upstream. */
  upstream: string;
  stop(): Promise<void>;
};

const WINDOW = 10_000_000;
const NARROW_PLACES = 8;

/** A model's name begins with its provider's name. `wide` has all other models. */
const providers = ['calm', 'narrow', 'wide'];

const model = (id: string) => ({
  ...sampleModel(id, { context_window: WINDOW, max_output: WINDOW }),
  capabilities: { tools: true, reasoning: false, vision: true, documents: false },
  routes: [{ provider: providers.find((name) => id.startsWith(`${name}-`)) ?? 'wide', model: id }],
});

type Upstreams = { calm: string; attacked: string };

function configFor(attacks: readonly Attack[], { calm, attacked }: Upstreams, settings: object) {
  const provider = (id: string, upstream: string, fields: object = {}) => ({
    id,
    wire: 'openai-chat',
    base_url: `${upstream}/v1`,
    api_key: 'key',
    ...fields,
  });
  const filler = Math.max(0, ...attacks.map(({ fillerModels = 0 }) => fillerModels));
  return {
    simulator: { mode: 'off' },
    server: settings,
    providers: [
      provider('calm', calm),
      provider('wide', attacked),
      provider('narrow', calm, { max_concurrent: NARROW_PLACES }),
    ],
    plans: { ...wideLimits, free: { tokens_per_min: 1_000_000_000, network_requests_per_min: null } },
    catalog: {
      default: false,
      models: [
        ...new Set(['calm-quick', 'quick', ...attacks.flatMap(({ models = [] }) => models)]),
        ...Array.from({ length: filler }, (_, index) => `filler-${index}`),
      ].map(model),
    },
  };
}

/** Starts the upstream in its own process, which sends its address first. */
async function startUpstream() {
  const started = Promise.withResolvers<string>();
  const child = spawnProcess('attack-upstream', 0, (message) =>
    started.resolve((message as { url: string }).url),
  );
  return { url: await started.promise, stop: () => child.kill('SIGKILL') };
}

/**
 * Starts a server on which these attacks can run one after the other. Attackers keep one of its upstreams
 * busy. The bystander uses the other one.
 */
export async function openAttackedGateway(
  attacks: readonly Attack[],
  settings: object = {},
): Promise<AttackedGateway> {
  const [calm, attacked] = await Promise.all([startUpstream(), startUpstream()]);
  const stopUpstreams = () => {
    calm.stop();
    attacked.stop();
  };
  try {
    const descriptors = attacks.find((attack) => attack.descriptors)?.descriptors;
    const server = await startServer({
      config: configFor(attacks, { calm: calm.url, attacked: attacked.url }, settings),
      ...(descriptors && { descriptors }),
    });
    return {
      server,
      upstream: calm.url,
      async stop() {
        await server.stop();
        stopUpstreams();
      },
    };
  } catch (error) {
    stopUpstreams();
    throw error;
  }
}
