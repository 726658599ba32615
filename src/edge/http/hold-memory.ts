import { Refusal } from '../../base/errors/refusal.ts';
import { COPIES, UNCOUNTED_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Exchange } from './exchange.ts';

/** Returns the exchange's booking, and opens one on first use. The edge frees it at the end of the answer. */
export function bookingOf(exchange: Exchange, budget: MemoryBudget): Booking {
  exchange.booking ??= budget.open(exchange.accountId);
  return exchange.booking;
}

export const outOfMemory = (headers: Record<string, string> = {}): Refusal =>
  new Refusal('capacity_unavailable', { retryAfterMs: 1_000, headers, reason: 'memory' });

/**
 * Books memory for data that the gateway adds to a request's body, for as long as the body itself. Refuses if
 * none is free in time.
 */
export async function holdMemory(
  exchange: Exchange,
  budget: MemoryBudget,
  bytes: number,
): Promise<Refusal | undefined> {
  if (bytes <= UNCOUNTED_BODY_BYTES) return undefined;
  return (await bookingOf(exchange, budget).grow(bytes * COPIES)) ? undefined : outOfMemory();
}
