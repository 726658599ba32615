/** A plan whose limits are enforced, but so wide that no request of a measurement reaches one. */
export const widePlan = {
  requests_per_min: 100_000_000,
  requests_per_5min: null,
  concurrent: 10_000,
  tokens_per_min: 1_000_000_000_000,
  tokens_per_day: null,
  network_requests_per_min: null,
};
