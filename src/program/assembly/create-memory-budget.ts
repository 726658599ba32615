import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import { budgetSizes } from '../../base/memory/budget-sizes.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { memoryLimitBytes } from '../../base/memory/memory-limit-bytes.ts';
import type { Config } from '../../settings/config/config-schema.ts';

/** Creates the memory budget of requests from the memory limit. Workers share it equally. */
export function createMemoryBudget({ server }: Config, workers = 1) {
  const { memory_limit_mb, in_flight_body_mb, body_timeout_s } = server;
  const allBytes = memory_limit_mb === null ? memoryLimitBytes() : memory_limit_mb * MEGABYTE;
  const limitBytes = allBytes / workers;
  const largeBytes = in_flight_body_mb === null ? undefined : in_flight_body_mb * MEGABYTE;
  const sizes = budgetSizes(limitBytes, largeBytes);
  return { limitBytes, budget: new MemoryBudget({ sizes, timeoutMs: msOf(body_timeout_s) }) };
}
