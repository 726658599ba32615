import { Refusal } from '../../base/errors/refusal.ts';
import {
  COPIES,
  DRAIN_BYTES,
  MAX_BODY_BYTES,
  MAX_EXPANSION,
  SMALL_BODY_BYTES,
  STEP_BYTES,
  UNCOUNTED_BODY_BYTES,
  UNREAD_BYTES,
} from '../../base/json/body-sizes.ts';
import type { BodyGate } from './body-gate.ts';
import type { ContentDecoder } from './content-decoder.ts';
import { discard } from './discard.ts';
import type { Exchange } from './exchange.ts';
import { bookingOf, outOfMemory } from './hold-memory.ts';
import { type FillOutcome, IncomingBody } from './incoming-body.ts';
import { tooLate } from './under-way.ts';

/**
 * A body to read. `decode` is undefined for a body without a content coding, and `length` for a body whose
 * head does not announce it. `maxBytes` bounds the body as it is sent, and after its decoding.
 */
export type CountedBody = {
  exchange: Exchange;
  gate: BodyGate;
  decode: ContentDecoder | undefined;
  length: number | undefined;
  maxBytes?: number;
};

/**
 * Reads a body while its bytes are counted, and decodes it. Rejects with an `AbortError` if the client
 * abandons the body.
 */
export async function readCounted(counted: CountedBody): Promise<Uint8Array | Refusal> {
  const { exchange, gate, decode, length, maxBytes = MAX_BODY_BYTES } = counted;
  const { body } = exchange.request;
  if (body === null) return new Uint8Array();
  if (length !== undefined && length > DRAIN_BYTES) return tooLarge(maxBytes);
  const incoming = new IncomingBody(body, gate.clock);
  if (length !== undefined && length > maxBytes) return refuseTooLarge(counted, incoming);
  const filled = await fill(counted, incoming);
  if (filled === 'late') return tooLate();
  if (filled === 'no-space') return refuseForSpace(counted, incoming);
  if (filled === 'full') return refuseTooLarge(counted, incoming);
  return decode ? decodeBooked(counted, decode, incoming.bytes) : incoming.bytes;
}

/**
 * Reads a body into the buffer. Memory is booked when the first bytes arrive, so an idle connection holds
 * nothing. A body of known length books all of it at once. If it arrives slowly, the missing part is given up
 * and booked again step by step.
 */
async function fill(
  { exchange, gate, length, maxBytes = MAX_BODY_BYTES }: CountedBody,
  incoming: IncomingBody,
): Promise<FillOutcome | 'no-space'> {
  const limit = length ?? maxBytes;
  incoming.allowed = Math.min(limit, UNCOUNTED_BODY_BYTES);
  const first = await incoming.fill(limit);
  if (first !== 'full' || limit <= UNCOUNTED_BODY_BYTES) return first;
  const booking = bookingOf(exchange, gate.budget);
  const heldBefore = booking.held;
  const leave = gate.arrivals.add(incoming, () => booking.shrink(heldBefore + incoming.allowed * COPIES));
  try {
    let step = length ?? STEP_BYTES;
    let unread = Math.min(limit, UNREAD_BYTES);
    let booked = 0;
    for (;;) {
      if (!(await booking.grow(step * COPIES, { unread }))) return 'no-space';
      booked += step;
      incoming.allowed = booked;
      const filled = await incoming.fill(limit);
      if (filled !== 'full' || incoming.allowed >= limit) return filled;
      booked = incoming.allowed; // less, if the body was found to be slow
      step = Math.min(limit - booked, STEP_BYTES);
      unread = 0;
    }
  } finally {
    leave();
  }
}

/**
 * Decodes a compressed body. A small result needs no more memory. A larger one is decoded again, with memory
 * for its maximum size.
 */
async function decodeBooked(
  { exchange, gate, maxBytes = MAX_BODY_BYTES }: CountedBody,
  decode: ContentDecoder,
  sent: Uint8Array,
): Promise<Uint8Array | Refusal> {
  const small = await decode(sent, Math.min(maxBytes, SMALL_BODY_BYTES));
  if (!isTooLarge(small)) return small;
  if (maxBytes <= SMALL_BODY_BYTES) return tooLarge(maxBytes);
  const expandedBytes = Math.min(maxBytes, sent.byteLength * MAX_EXPANSION);
  if (expandedBytes <= SMALL_BODY_BYTES) return overExpanded();
  const booking = bookingOf(exchange, gate.budget);
  const needed = expandedBytes * COPIES - booking.held;
  if (!(await booking.grow(needed, { unread: sent.byteLength }))) return outOfMemory();
  const decoded = await decode(sent, expandedBytes);
  discard(sent);
  if (!isTooLarge(decoded)) return decoded;
  return expandedBytes < maxBytes ? overExpanded() : tooLarge(maxBytes);
}

const isTooLarge = (decoded: Uint8Array | Refusal): decoded is Refusal =>
  decoded instanceof Refusal && decoded.code === 'body_too_large';

/** Refuses a body over the limit. */
export const tooLarge = (maxBytes: number): Refusal =>
  maxBytes === MAX_BODY_BYTES
    ? new Refusal('body_too_large')
    : new Refusal('body_too_large', { message: `The request body is larger than ${maxBytes / 1_024} KB.` });

const overExpanded = (): Refusal =>
  new Refusal('body_too_large', {
    message: `The decoded body is more than ${MAX_EXPANSION} times as large as the body that was sent.`,
  });

/** Refuses a body over the limit. A moderate rest of it is read and discarded, which holds no memory. */
async function refuseTooLarge(
  { exchange, maxBytes = MAX_BODY_BYTES }: CountedBody,
  incoming: IncomingBody,
): Promise<Refusal> {
  exchange.booking?.shrink(0);
  if ((await incoming.drain(DRAIN_BYTES)) === 'full') await incoming.cancel();
  return tooLarge(maxBytes);
}

/**
 * Refuses a body for lack of memory. Some refused bodies are read to their end, so that their clients see
 * when to retry. That also needs memory, so their number is limited.
 */
async function refuseForSpace({ exchange, gate }: CountedBody, incoming: IncomingBody): Promise<Refusal> {
  exchange.booking?.shrink(0);
  const leave = gate.drains.enter();
  try {
    if (leave && (await incoming.drain(DRAIN_BYTES)) === 'ended') return outOfMemory();
    await incoming.cancel();
    return outOfMemory({ connection: 'close' });
  } finally {
    leave?.();
  }
}
