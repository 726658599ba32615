import { afterAll } from 'bun:test';
import type { Answer } from './call.ts';
import { startRecordingUpstream } from './recording-upstream.ts';
import { sampleConfig, sampleModel } from './sample-config.ts';
import { startServer } from './start-server.ts';

/** The model of most requests. */
export const MODEL = '@svc/counted';
/** A model with a published vocabulary. */
export const KNOWN = '@svc/known';
/** A model whose provider has one slot. */
export const ONE_AT_A_TIME = '@svc/narrow';

/** Opens a server for one test file, with the plans' own limits and a movable clock. */
export async function openLimitedGateway() {
  const upstream = startRecordingUpstream();
  const sample = sampleConfig(upstream.url, {
    models: [
      sampleModel(MODEL, { context_window: 200_000, launch: true }),
      sampleModel(KNOWN, {
        context_window: 400_000,
        routes: [{ provider: 'hidden-openai-chat', model: 'gpt-4o' }],
      }),
      sampleModel(ONE_AT_A_TIME, { routes: [{ provider: 'narrow', model: 'hidden-narrow' }] }),
    ],
    handles: {},
    previews: {},
  });
  const server = await startServer({
    config: {
      ...sample,
      providers: [
        ...sample.providers,
        { id: 'narrow', wire: 'openai-chat', base_url: upstream.url, max_concurrent: 1 },
      ],
      server: { trusted_proxies: ['127.0.0.1'] },
      plans: { free: { network_requests_per_min: null } },
    },
    environment: { TOLLGATE_TEST_CLOCK: '1' },
  });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });

  const advance = (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds });
  const chat = (key: string, fields?: Record<string, unknown>) => server.chat(key, MODEL, fields);
  const keyOn = async (plan: string): Promise<string> => {
    const { account, key } = await server.createKey(plan);
    if (plan === 'payg') await server.admin('POST', `/accounts/${account}/purchases`, { usd: 1_000 });
    return key;
  };
  return { upstream, server, advance, chat, keyOn };
}

/** Returns what a limit has left, from the headers of an answer. */
export const left = ({ headers }: Answer, what = 'requests') =>
  Number(headers.get(`x-ratelimit-remaining-${what}`));
