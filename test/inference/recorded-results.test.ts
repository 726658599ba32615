import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { isFull } from '../support/is-full.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { type CreatedKey, startServer, type TestServer } from '../support/start-server.ts';
import { testSeed } from '../support/test-seed.ts';
import { wideLimits } from '../support/wide-limits.ts';

// The same generated requests go to a server that records what requests have in common, and to one that
// records nothing. Every answer and every ledger entry must be equal.

/** A round is one change, and then requests with every key. */
const ROUNDS = isFull ? 20 : 5;
const REQUESTS_EACH = 8;
const HOUR_MS = 3_600_000;
const upstream = startRecordingUpstream();
const now = Date.now();
const inHours = (hours: number): string => new Date(now + hours * HOUR_MS).toISOString();

const open = { delivery: 'optimized', tier: 'own' };
const dated = {
  input: 1,
  output: 4,
  conditions: [{ name: 'later', from: inHours(3), until: inHours(6), factor: 2 }],
};
/** Configurations that differ in what they let callers use, and in what it costs. */
const variants: Json[] = [
  {},
  { gated: { plan: 'max' } },
  { gated: { plan: 'free', routes: [] }, cheap: { pricing_usd_per_mtok: { input: 3, output: 5 } } },
  { cheap: { aliases: ['gated-before'] }, alone: { comparable: ['gated'] } },
];
const config = (variant: Json) => ({
  simulator: { mode: 'off' },
  plans: wideLimits,
  providers: [{ id: 'hidden-openai-chat', wire: 'openai-chat', base_url: upstream.url }],
  catalog: {
    default: false,
    models: [
      sampleModel('cheap', { ...open, ...variant.cheap }),
      sampleModel('gated', { ...open, plan: 'pro', ...variant.gated }),
      sampleModel('alone', { ...open, routes: [], comparable: ['cheap', 'gated'], ...variant.alone }),
      sampleModel('dated', { ...open, pricing_usd_per_mtok: dated }),
      sampleModel('twice', { ...open, payg_pricing_usd_per_mtok: { input: 2, output: 9 } }),
      sampleModel('bought', { ...open, plan: 'payg' }),
    ],
    previews: { 'to-come': 'cheap' },
  },
});
const models = ['cheap', 'gated', 'alone', 'dated', 'twice', 'bought', 'to-come', 'gated-before', 'none'];
/** The models that changes open and close. They are asked more often than others. */
const affected = ['gated', 'gated', 'alone', 'to-come'];
const modes = [undefined, undefined, undefined, 'payg', 'subscription', 'both'];
const plans = ['free', 'pro', 'max', 'payg'];

const start = (preload?: string) =>
  startServer({
    config: config(variants[0]),
    environment: { TOLLGATE_TEST_CLOCK: '1' },
    ...(preload !== undefined && { preload }),
  });
const servers = await Promise.all([
  start(),
  start(join(import.meta.dir, '..', 'support', 'without-records.ts')),
]);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await upstream.stop();
});

/** One server with its own keys, to which the same steps happen as to the other. */
type Twin = { server: TestServer; keys: CreatedKey[] };

const CHANGING = ['date', 'content-length'];
const isStable = ([name]: [string, string]) => !CHANGING.includes(name) && !/reset|queue|used/.test(name);

/**
 * Replaces hashes, ids and times, which differ between any two servers. Hashes come first, since a hash can
 * end in digits that look like a time.
 */
const stable = (text: string): string =>
  text
    .replace(/"[0-9a-f]{32,}"/g, '"HASH"')
    .replace(/(?<![0-9A-Za-z])([a-z]{2,8})[_-][0-9A-Za-z]{16,}/g, '$1_ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/(?<!\d)1[78]\d{8,14}\b/g, 'NUMBER')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST');

const shown = ({ status, headers, text }: Answer) => ({
  status,
  headers: [...headers].filter(isStable).map(([name, value]) => `${name}: ${stable(value)}`),
  text: stable(text),
});

const CHAT = '/v1/chat/completions';
const paths = [CHAT, CHAT, CHAT, '/v1/messages', '/v1/responses', '/v1/embeddings'] as const;
const bodyFor = (path: (typeof paths)[number], model: string, { stream }: { stream: boolean }): Json => {
  const messages = [{ role: 'user', content: 'hello' }];
  if (path === '/v1/embeddings') return { model, input: 'hello' };
  if (path === '/v1/responses') return { model, input: 'hello', store: false, stream };
  return { model, messages, max_tokens: 20, stream };
};

type Step = (twin: Twin) => Promise<unknown>;

/** Expects that a change of the operator has succeeded. */
const done = ({ status, text }: Answer): number => {
  if (status >= 300) throw new Error(text);
  return status;
};

function stepsFrom(random: () => number): Step[] {
  const of = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const index = () => Math.floor(random() * plans.length);
  const ask = (at: number): Step => {
    const path = of(paths);
    const mode = of(modes);
    const body = bodyFor(path, of(random() < 0.6 ? affected : models), { stream: random() < 0.3 });
    return async ({ server, keys }) => {
      const headers = { ...bearer(keys[at]!.key), ...(mode && { 'x-svc-payment-mode': mode }) };
      return shown(await server.call(path, { headers, body }));
    };
  };
  const changeAccount = (): Step => {
    const at = index();
    const change = of([{ plan: of(['free', 'free', 'max']) }, { plan_overrides: { concurrent: 7 } }]);
    return async ({ server, keys }) =>
      done(await server.admin('PATCH', `/accounts/${keys[at]!.account}`, change));
  };
  const changeKey = (): Step => {
    const at = index();
    const change = of([{ allowed_models: ['alone', 'gated'] }, { allowed_models: null }]);
    return async ({ server, keys }) => done(await server.admin('PATCH', `/keys/${keys[at]!.id}`, change));
  };
  const revoke = (): Step => {
    const at = index();
    return async ({ server, keys }) => {
      const { account, id, key } = keys[at]!;
      done(await server.admin('DELETE', `/keys/${id}`));
      keys[at] = await server.createKey('', { account });
      return shown(await server.chat(key, 'cheap'));
    };
  };
  const reload = (): Step => {
    const variant = of(variants);
    return async ({ server }) => {
      server.configure(config(variant));
      return done(await server.reload());
    };
  };
  /** A downgrade takes effect with the next cycle. */
  const advance = (): Step => {
    const hours = of([1, 31 * 24]);
    return async ({ server }) =>
      done(await server.admin('POST', '/test/clock', { advance_s: hours * 3_600 }));
  };
  const changes = [
    changeAccount,
    changeAccount,
    changeAccount,
    changeKey,
    revoke,
    reload,
    reload,
    advance,
    advance,
  ];
  const requests = () =>
    [...plans.keys()].flatMap((at) => Array.from({ length: REQUESTS_EACH }, () => ask(at)));
  return Array.from({ length: ROUNDS }, (_, round) => [
    changes[round % changes.length]!(),
    ...requests(),
  ]).flat();
}

/** Returns a source of numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function twinOf(server: TestServer): Promise<Twin> {
  const keys: CreatedKey[] = [];
  for (const plan of plans) {
    const made = await server.createKey(plan);
    await server.purchase(made.account, 50);
    keys.push(made);
  }
  return { server, keys };
}

test('recorded principals, heads and chunks change no answer and no ledger entry, whatever changes between the requests', async () => {
  const seed = testSeed(20_261_128);
  const twins = await Promise.all(servers.map(twinOf));
  const statuses = new Set<number>();
  for (const [at, step] of stepsFrom(randomFrom(seed)).entries()) {
    const [recorded, anew] = await Promise.all(twins.map(step));
    expect(recorded, `step ${at} of seed ${seed}`).toEqual(anew);
    statuses.add(typeof recorded === 'number' ? recorded : (recorded as { status: number }).status);
  }
  expect([...statuses]).toContainValues([200, 401]);
  for (const at of plans.keys()) {
    const [entries, others] = await Promise.all(
      twins.map(async ({ server, keys }) => {
        const { status, text } = await server.admin('GET', `/accounts/${keys[at]!.account}/ledger?limit=100`);
        expect(status).toBe(200);
        return stable(text);
      }),
    );
    expect(entries).toBe(others!);
  }
});
