/** The time at which the accounts are made. */
export const MADE_AT = Date.UTC(2027, 0, 4, 12);

/** The database of nodes. */
export const DATABASE_URL = 'postgres://tollgate@127.0.0.1:5432/tollgate';

/** The port of the simulated Stripe, and the secret of its messages. */
export const STRIPE_PORT = 9_100;
export const WEBHOOK_SECRET = 'whsec_simulated';

/** Names the headers of the gateway. */
export const BRAND = 'simulated';

/** USD per million tokens. */
export const PRICES = {
  alpha: { input: 1, cached_input: 0.25, output: 4 },
  beta: { input: 3, cached_input: 1, output: 15 },
  narrow: { input: 2, output: 2 },
  /** Cheap enough for an answer without a ceiling. */
  gamma: { input: 1, output: 1 },
  /** Both of its providers have few slots. */
  pair: { input: 2, output: 3 },
  /** Their providers have batch APIs. */
  files: { input: 4, output: 8 },
  pages: { input: 6, output: 10 },
  /** Other models may answer in its place. */
  delta: { input: 2, output: 6 },
  /** One of its providers is drained at times. */
  drained: { input: 1, output: 2 },
} as const;
export type ModelName = keyof typeof PRICES;

/** A million tokens at one USD cost 500 credits. */
export const MICROCREDITS_PER_TOKEN_USD = 500;
/** 500 credits of a million micro-credits are one USD. */
export const MICROCREDITS_PER_USD = 500_000_000;

export const VENDOR_PORTS = {
  first: 9001,
  second: 9002,
  third: 9003,
  narrow: 9004,
  left: 9005,
  right: 9006,
  files: 9007,
  pages: 9008,
  tap: 9009,
  sink: 9010,
} as const;
export type VendorName = keyof typeof VENDOR_PORTS;
/** The vendors whose wire is Anthropic's. */
export const ANTHROPIC: readonly VendorName[] = ['third', 'pages'];
export const vendorNames = Object.keys(VENDOR_PORTS) as VendorName[];
/** The models that vendors' own batches serve, with their prices there. */
export const NATIVE_PRICES = {
  files: { input: 2, cached_input: 1, output: 4 },
  pages: { input: 3, output: 5 },
} as const;
export type NativeModel = keyof typeof NATIVE_PRICES;
export const nativeModels = Object.keys(NATIVE_PRICES) as NativeModel[];

/** The vendors that take few requests at once. */
export const SLOTS: Partial<Record<VendorName, number>> = {
  narrow: 2,
  left: 1,
  right: 2,
  tap: 1,
  sink: 1,
};
/** The models whose requests queue for a slot. */
export const QUEUED = ['narrow', 'pair'] as const satisfies readonly ModelName[];
/** The vendors of these models. */
export const QUEUED_AT: Partial<Record<ModelName, readonly VendorName[]>> = {
  narrow: ['narrow'],
  pair: ['left', 'right'],
};
/** The vendors of the other models. */
export const TRIED_AT: Partial<Record<ModelName, readonly VendorName[]>> = {
  alpha: ['first', 'second'],
  beta: ['third', 'second'],
  gamma: ['third', 'first'],
};

/** The models that may answer in the place of `delta`: a more expensive one and a cheaper one. */
export const SUBSTITUTES = ['beta', 'gamma'] as const satisfies readonly ModelName[];

/** The limits of each account. */
export const LIMITS = {
  free: { requestsPerMinute: 6, requestsPer5Minutes: 9, concurrent: 2, tokensPerMinute: null },
  guest: { requestsPerMinute: 6, requestsPer5Minutes: 9, concurrent: 2, tokensPerMinute: null },
  launch: { requestsPerMinute: 10, requestsPer5Minutes: 14, concurrent: 3, tokensPerMinute: 900 },
  /** The limits of its key. */
  paced: { requestsPerMinute: 6, requestsPer5Minutes: null, concurrent: 2, tokensPerMinute: 900 },
} as const;
export type LimitedAccount = keyof typeof LIMITS;
/** The limit of requests in a minute that Free accounts share in each network. */
export const NETWORK_REQUESTS_PER_MINUTE = 8;
/** The limit of tokens in a day. */
export const TOKENS_PER_DAY = 600;

/** An answer costs about a twentieth of a credit. */
export const MONTHLY_CREDITS = 0.5;
/** The credits of the plan that an account is upgraded to. They are more than a run can spend. */
export const MAX_CREDITS = 1_000;
/** The amounts of purchased credit, of the cap of a key and of a budget, as accounts are made. */
export const SMALL_USD = 0.001;
/** The time for which the usage of a client that has left is awaited. */
export const GRACE_MS = 2_000;

/** The longest wait for the first byte of a vendor. */
export const FIRST_BYTE_MS = 6_000;

/** Items without a result expire after this time. */
export const BATCH_DEADLINE_S = 150;

/** The longest time of a call to a vendor that sends very slow streams. */
const TOTAL_MS: Partial<Record<VendorName, number>> = { third: 150_000 };

const provider = (id: VendorName) => ({
  id,
  wire: ANTHROPIC.includes(id) ? 'anthropic-messages' : 'openai-chat',
  ...(nativeModels.some((name) => name === id) && { batch: 'native' }),
  base_url: `http://127.0.0.1:${VENDOR_PORTS[id]}/v1`,
  api_key: 'upstream-key',
  timeouts: {
    connect_ms: 2_000,
    first_byte_ms: FIRST_BYTE_MS,
    idle_ms: 5_000,
    total_ms: TOTAL_MS[id] ?? 60_000,
  },
  ...(SLOTS[id] !== undefined && { max_concurrent: SLOTS[id] }),
});

const model = (id: ModelName, routes: [VendorName, string][]) => ({
  id,
  plan: 'free',
  launch: true,
  delivery: 'exact',
  context_window: 131_072,
  max_output: 4_096,
  pricing_usd_per_mtok: PRICES[id],
  routes: routes.map(([to, name]) => ({ provider: to, model: name })),
});

const wide = {
  requests_per_min: 1_000_000,
  requests_per_5min: null,
  concurrent: 10_000,
  tokens_per_min: 1_000_000_000,
  tokens_per_day: null,
  network_requests_per_min: null,
  max_prompt_tokens: null,
};

const limited = ({
  requestsPerMinute,
  requestsPer5Minutes,
  concurrent,
  tokensPerMinute,
}: (typeof LIMITS)[LimitedAccount]) => ({
  ...wide,
  requests_per_min: requestsPerMinute,
  requests_per_5min: requestsPer5Minutes,
  concurrent,
  ...(tokensPerMinute !== null && { tokens_per_min: tokensPerMinute }),
});

/** The longest time in the queue for a slot. */
export const QUEUE_WAIT_MS = 6_000;

/** The configuration of every simulated gateway. */
export const configuration = {
  brand: BRAND,
  simulator: { mode: 'off' },
  local_servers: { mode: 'off' },
  server: { port: 8080, memory_limit_mb: 4_096, drain_s: 20, drain_notice_s: 0 },
  log: { level: 'info', format: 'json' },
  providers: vendorNames.map(provider),
  catalog: {
    default: false,
    models: [
      model('alpha', [
        ['first', 'alpha-1'],
        ['second', 'alpha-2'],
      ]),
      model('beta', [
        ['third', 'beta-1'],
        ['second', 'beta-2'],
      ]),
      model('narrow', [['narrow', 'narrow-1']]),
      model('gamma', [
        ['third', 'gamma-1'],
        ['first', 'gamma-2'],
      ]),
      model('pair', [
        ['left', 'pair-1'],
        ['right', 'pair-2'],
      ]),
      model('drained', [
        ['tap', 'drained-1'],
        ['sink', 'drained-2'],
      ]),
      { ...model('delta', [['second', 'delta-1']]), delivery: 'optimized', comparable: SUBSTITUTES },
      ...nativeModels.map((id) => ({
        ...model(id, [[id, `${id}-1`]]),
        native_batch_pricing_usd_per_mtok: NATIVE_PRICES[id],
      })),
    ],
  },
  plans: {
    free: { ...limited(LIMITS.free), network_requests_per_min: NETWORK_REQUESTS_PER_MINUTE },
    launch: limited(LIMITS.launch),
    starter: { ...wide, tokens_per_day: TOKENS_PER_DAY },
    pro: { ...wide, credits: MONTHLY_CREDITS },
    max: { ...wide, credits: MAX_CREDITS },
    payg: wide,
    enterprise: wide,
  },
  purchases: { min_usd: SMALL_USD },
  billing: {
    stripe: {
      secret_key: 'sk_simulated',
      webhook_secrets: [WEBHOOK_SECRET],
      api_base: `http://127.0.0.1:${STRIPE_PORT}`,
    },
  },
  retention: { batch_deadline_s: BATCH_DEADLINE_S },
  limits: { usage_grace_s: GRACE_MS / 1_000, queue_wait_s: QUEUE_WAIT_MS / 1_000, stream_commit_s: 5 },
};
