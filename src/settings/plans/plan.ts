export const planIds = ['free', 'launch', 'starter', 'pro', 'max', 'scale', 'payg', 'enterprise'] as const;
export type PlanId = (typeof planIds)[number];

/** The figures of a plan that an operator can set. `null` means no limit. A null price is by agreement. */
export type PlanFigures = {
  priceUsd: number | null;
  /** Credits per month. The Free plan grants its credits once per account. */
  credits: number | null;
  requestsPerMinute: number;
  requestsPer5Minutes: number | null;
  concurrent: number;
  tokensPerMinute: number;
  maxPromptTokens: number | null;
  tokensPerDay: number | null;
  networkRequestsPerMinute: number | null;
  /** Storage of responses, batches and results together, in MB. */
  storedMb: number | null;
};

export type Plan = PlanFigures & {
  id: PlanId;
  displayName: string;
  /** The order of the plans. A change to a higher rank is an upgrade. Launch is between Free and Starter. */
  rank: number;
  /** True if the plan is open to new accounts. Launch is closed, and Enterprise is by agreement. */
  buyable: boolean;
};

export type Plans = Readonly<Record<PlanId, Plan>>;

/**
 * The number of reads that an account may make for each request of its plan. Clients poll and list before
 * they call a model.
 */
export const READS_PER_REQUEST = 20;

const noExtras = {
  requestsPer5Minutes: null,
  maxPromptTokens: null,
  tokensPerDay: null,
  networkRequestsPerMinute: null,
};

/** The built-in plans. The configuration can override single fields. */
export const builtinPlans: readonly Plan[] = [
  {
    id: 'free',
    displayName: 'Free',
    rank: 0,
    buyable: true,
    priceUsd: 0,
    credits: 200,
    requestsPerMinute: 15,
    requestsPer5Minutes: null,
    concurrent: 2,
    tokensPerMinute: 40_000,
    storedMb: 20,
    maxPromptTokens: 16_384,
    tokensPerDay: 500_000,
    networkRequestsPerMinute: 30,
  },
  {
    ...noExtras,
    id: 'launch',
    displayName: 'Launch',
    rank: 1,
    buyable: false,
    priceUsd: 2,
    credits: 1_000,
    requestsPerMinute: 20,
    requestsPer5Minutes: 100,
    concurrent: 5,
    tokensPerMinute: 100_000,
    storedMb: 200,
  },
  {
    ...noExtras,
    id: 'starter',
    displayName: 'Starter',
    rank: 2,
    buyable: true,
    priceUsd: 5,
    credits: 2_500,
    requestsPerMinute: 300,
    concurrent: 10,
    tokensPerMinute: 500_000,
    storedMb: 200,
  },
  {
    ...noExtras,
    id: 'pro',
    displayName: 'Pro',
    rank: 3,
    buyable: true,
    priceUsd: 19,
    credits: 10_000,
    requestsPerMinute: 1_000,
    concurrent: 40,
    tokensPerMinute: 2_000_000,
    storedMb: 1_024,
  },
  {
    ...noExtras,
    id: 'max',
    displayName: 'Max',
    rank: 4,
    buyable: true,
    priceUsd: 49,
    credits: 25_000,
    requestsPerMinute: 3_000,
    concurrent: 100,
    tokensPerMinute: 5_000_000,
    storedMb: 5_120,
  },
  {
    ...noExtras,
    id: 'scale',
    displayName: 'Scale',
    rank: 5,
    buyable: true,
    priceUsd: 99,
    credits: 50_000,
    requestsPerMinute: 6_000,
    concurrent: 200,
    tokensPerMinute: 10_000_000,
    storedMb: 5_120,
  },
  {
    ...noExtras,
    id: 'payg',
    displayName: 'Pay as you go',
    rank: -1,
    buyable: true,
    priceUsd: null,
    credits: null,
    requestsPerMinute: 600,
    concurrent: 20,
    tokensPerMinute: 1_000_000,
    storedMb: 1_024,
  },
  {
    ...noExtras,
    id: 'enterprise',
    displayName: 'Enterprise',
    rank: 6,
    buyable: false,
    priceUsd: null,
    credits: null,
    requestsPerMinute: 10_000,
    concurrent: 250,
    tokensPerMinute: 20_000_000,
    storedMb: 20_480,
  },
];
