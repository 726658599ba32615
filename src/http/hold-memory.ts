import { Refusal } from '../errors/refusal.ts';
import type { BodyGate } from './body-gate.ts';
import type { Exchange } from './exchange.ts';
import { COPIES, SMALL_BODY_BYTES } from './read-body.ts';

/** Room for what is put to a request's body, held as long as the body itself; a refusal where there is none in time. */
export async function holdMemory(
  exchange: Exchange,
  gate: BodyGate,
  bytes: number,
): Promise<Refusal | undefined> {
  if (bytes <= SMALL_BODY_BYTES) return undefined;
  const booking = await gate.book(bytes * COPIES);
  if (!booking) return new Refusal('capacity_unavailable', { retryAfterMs: 1_000 });
  const { release } = exchange;
  exchange.release = () => {
    release?.();
    booking.free();
  };
  return undefined;
}
