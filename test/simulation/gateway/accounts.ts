import { type ModelName, SMALL_USD } from './configuration.ts';

/** The cap of a key that two or three requests hold together. */
export const SMALL_CAP_USD = 1.5 * SMALL_USD;

export type AccountSpec = {
  plan: string;
  models: readonly ModelName[];
  isPaid: boolean;
  /** True if its key has its own limits. */
  hasLimits?: boolean;
  purchaseUsd?: number;
  capUsd?: number;
  budgetUsd?: number;
  /** The amount of a budget that counts the last hour. */
  hourUsd?: number;
};

/** The accounts of every run. */
export const accountSpecs = {
  unlimited: { plan: 'enterprise', models: ['alpha', 'beta', 'narrow', 'pair'], isPaid: true },
  /** Competes with `unlimited` for the slots of the small vendors. */
  other: { plan: 'enterprise', models: ['alpha', 'narrow', 'pair'], isPaid: true },
  monthly: { plan: 'pro', models: ['alpha', 'beta', 'gamma'], isPaid: true },
  purchased: { plan: 'payg', models: ['alpha', 'beta', 'gamma'], isPaid: true, purchaseUsd: SMALL_USD },
  capped: {
    plan: 'payg',
    models: ['alpha', 'beta', 'gamma'],
    isPaid: true,
    purchaseUsd: 1,
    capUsd: SMALL_USD,
  },
  /** The cap of its key is raised while requests hold it. */
  raised: { plan: 'payg', models: ['alpha'], isPaid: true, purchaseUsd: 1, capUsd: SMALL_CAP_USD },
  budgeted: {
    plan: 'enterprise',
    models: ['alpha', 'beta', 'gamma'],
    isPaid: true,
    budgetUsd: SMALL_USD,
  },
  hourly: { plan: 'enterprise', models: ['alpha', 'beta'], isPaid: true, hourUsd: SMALL_USD },
  /** Its credit is bought through Stripe. */
  paying: { plan: 'payg', models: ['alpha', 'beta', 'gamma'], isPaid: true, purchaseUsd: SMALL_USD },
  /** Its batches hold amounts. */
  batched: { plan: 'enterprise', models: ['alpha', 'beta'], isPaid: true, capUsd: 1, budgetUsd: 1 },
  /** The items of its batch hold most of the cap of its key. */
  itemized: { plan: 'enterprise', models: ['gamma'], isPaid: true, capUsd: SMALL_USD },
  free: { plan: 'free', models: ['alpha', 'narrow', 'pair'], isPaid: false },
  /** Shares the limits of networks with `free`. */
  guest: { plan: 'free', models: ['alpha', 'narrow'], isPaid: false },
  /** Its plan limits the tokens of a day. */
  daily: { plan: 'starter', models: ['alpha', 'beta', 'gamma', 'narrow'], isPaid: true },
  launch: { plan: 'launch', models: ['alpha', 'beta', 'narrow', 'pair'], isPaid: true },
  /** Holds credit, and its key has small limits. */
  paced: {
    plan: 'payg',
    models: ['alpha', 'gamma'],
    isPaid: true,
    hasLimits: true,
    purchaseUsd: 1,
    budgetUsd: 10 * SMALL_USD,
  },
} as const satisfies Record<string, AccountSpec>;

export type AccountName = keyof typeof accountSpecs;
export const accountNames = Object.keys(accountSpecs) as AccountName[];

/** The ids and the key of an account of the run. */
export type RunAccount = { id: string; key: string; keyId: string; budgetId: string | undefined };
export type Accounts = Record<AccountName, RunAccount>;
