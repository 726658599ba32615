import { startServer } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { startHeavyUpstream } from './start-heavy-upstream.ts';

/** No account may use all memory, so the attack uses several accounts. */
const ATTACKERS = 8;

/** The `server` section of the configuration; empty for its defaults. */
export type ServerSettings = Readonly<Record<string, number>>;

/** Starts the server in its own process, in front of an upstream of large answers. */
export async function startStrainedServer(settings: ServerSettings = {}) {
  const upstream = startHeavyUpstream();
  const server = await startServer({
    config: {
      simulator: { mode: 'off' },
      server: settings,
      plans: wideLimits,
      // No reader is cut off before all readers have stopped.
      limits: { stalled_write_s: 300 },
      providers: [{ id: 'host', wire: 'openai-chat', base_url: upstream.url }],
      catalog: {
        default: false,
        models: ['quick', 'stream', 'whole'].map((id) =>
          ableModel(id, [{ provider: 'host', model: `hidden-${id}` }], { context_window: 100_000_000 }),
        ),
      },
    },
  });
  const keys: string[] = [];
  for (let index = 0; index < ATTACKERS; index++) keys.push((await server.createKey('enterprise')).key);
  const { key: bystander } = await server.createKey('enterprise');
  return {
    server,
    bystander,
    upstream,
    /** Returns the keys of the accounts in turn. */
    keyOf: (index: number): string => keys[index % keys.length]!,
    async [Symbol.asyncDispose](): Promise<void> {
      await server.stop();
      upstream.stop();
    },
  };
}

export type StrainedServer = Awaited<ReturnType<typeof startStrainedServer>>;
