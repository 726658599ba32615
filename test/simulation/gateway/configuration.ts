/** The time at which the accounts are made. */
export const MADE_AT = Date.UTC(2027, 0, 4, 12);

/** The database of nodes. */
export const DATABASE_URL = 'postgres://tollgate@127.0.0.1:5432/tollgate';

/** USD per million tokens. */
export const PRICES = {
  alpha: { input: 1, output: 4 },
  beta: { input: 3, output: 15 },
  narrow: { input: 2, output: 2 },
} as const;
export type ModelName = keyof typeof PRICES;

/** A million tokens at one USD cost 500 credits. */
export const MICROCREDITS_PER_TOKEN_USD = 500;

export const VENDOR_PORTS = { first: 9001, second: 9002, third: 9003, narrow: 9004 } as const;
export const NARROW_SLOTS = 2;

export const LIMITS = {
  /** The limits of the Free plan. */
  free: { requestsPerMinute: 6, requestsPer5Minutes: 9, concurrent: 2 },
  launch: { requestsPerMinute: 10, requestsPer5Minutes: 14, concurrent: 3 },
} as const;

/** An answer costs about a twentieth of a credit. */
export const MONTHLY_CREDITS = 0.5;
/** The amounts of purchased credit, of the cap of a key and of a budget. 500 credits are one USD. */
export const SMALL_USD = 0.001;

const provider = (id: keyof typeof VENDOR_PORTS, wire: string, fields: object = {}) => ({
  id,
  wire,
  base_url: `http://127.0.0.1:${VENDOR_PORTS[id]}/v1`,
  api_key: 'upstream-key',
  timeouts: { connect_ms: 2_000, first_byte_ms: 6_000, idle_ms: 5_000, total_ms: 60_000 },
  ...fields,
});

const model = (id: ModelName, routes: [keyof typeof VENDOR_PORTS, string][]) => ({
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
}: (typeof LIMITS)[keyof typeof LIMITS]) => ({
  ...wide,
  requests_per_min: requestsPerMinute,
  requests_per_5min: requestsPer5Minutes,
  concurrent,
});

/** The configuration of every simulated gateway. */
export const configuration = {
  simulator: { mode: 'off' },
  local_servers: { mode: 'off' },
  server: { port: 8080, memory_limit_mb: 4_096, drain_s: 20, drain_notice_s: 0 },
  log: { level: 'info', format: 'json' },
  providers: [
    provider('first', 'openai-chat'),
    provider('second', 'openai-chat'),
    provider('third', 'anthropic-messages'),
    provider('narrow', 'openai-chat', { max_concurrent: NARROW_SLOTS }),
  ],
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
    ],
  },
  plans: {
    free: limited(LIMITS.free),
    launch: limited(LIMITS.launch),
    pro: { ...wide, credits: MONTHLY_CREDITS },
    payg: wide,
    enterprise: wide,
  },
  purchases: { min_usd: SMALL_USD },
  limits: { usage_grace_s: 2, queue_wait_s: 20, stream_commit_s: 5 },
};
