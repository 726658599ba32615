import { planIds } from '../../src/settings/plans/plan.ts';

/** Plans with limits that no test reaches, for tests that are not about limits. */
export const wideLimits = Object.fromEntries(
  planIds.map((plan) => [
    plan,
    {
      requests_per_min: 1_000_000,
      requests_per_5min: null,
      concurrent: 10_000,
      tokens_per_min: 1_000_000_000_000,
      network_requests_per_min: null,
      stored_mb: null,
    },
  ]),
);
