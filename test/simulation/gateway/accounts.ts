import { type ModelName, SMALL_USD } from './configuration.ts';

/** The accounts of every run. */
export const accountSpecs = {
  unlimited: { plan: 'enterprise', models: ['alpha', 'beta', 'narrow'], isPaid: true },
  monthly: { plan: 'pro', models: ['alpha', 'beta'], isPaid: true },
  purchased: { plan: 'payg', models: ['alpha', 'beta'], isPaid: true, purchaseUsd: SMALL_USD },
  capped: { plan: 'payg', models: ['alpha', 'beta'], isPaid: true, purchaseUsd: 1, capUsd: SMALL_USD },
  budgeted: { plan: 'enterprise', models: ['alpha', 'beta'], isPaid: true, budgetUsd: SMALL_USD },
  free: { plan: 'free', models: ['alpha', 'narrow'], isPaid: false },
  launch: { plan: 'launch', models: ['alpha', 'beta'], isPaid: true },
} as const satisfies Record<
  string,
  {
    plan: string;
    models: readonly ModelName[];
    isPaid: boolean;
    purchaseUsd?: number;
    capUsd?: number;
    budgetUsd?: number;
  }
>;

export type AccountName = keyof typeof accountSpecs;
export type AccountSpec = (typeof accountSpecs)[AccountName];
export const accountNames = Object.keys(accountSpecs) as AccountName[];

/** An account as it was made. */
export type MadeAccount = { id: string; key: string; keyId: string };
export type Accounts = Record<AccountName, MadeAccount>;
