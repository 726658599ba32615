import { expect, test } from 'bun:test';
import { fullUsage } from './full-usage.ts';

const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 10,
  num_sources_used: 0,
};

test("leaves a host's complete usage as it is, unless it shows the operator's price", () => {
  expect(fullUsage(usage)).toBeUndefined();
  expect(JSON.parse(fullUsage({ ...usage, cost_in_usd_ticks: 1 })!)).toEqual(usage);
});
