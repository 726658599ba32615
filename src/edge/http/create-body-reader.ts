import { Refusal } from '../../base/errors/refusal.ts';
import {
  COPIES,
  KEPT_COPIES,
  SLICED_BODY_BYTES,
  SMALL_BODY_BYTES,
  UNCOUNTED_BODY_BYTES,
  WIDE_COPIES,
} from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce, parseBodyInTurns } from '../../base/json/parse-body.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { Booking } from '../../base/memory/booking.ts';
import { announcedLength } from './announced-length.ts';
import type { BodyGate } from './body-gate.ts';
import { brokenOff } from './broken-off.ts';
import { contentDecoder } from './content-decoder.ts';
import { discard } from './discard.ts';
import type { Exchange } from './exchange.ts';
import { bookingOf, outOfMemory } from './hold-memory.ts';
import { type CountedBody, readCounted } from './read-counted.ts';
import { tooLate } from './under-way.ts';

/** Reads and parses a JSON body, or refuses it. */
export type BodyReader = (exchange: Exchange) => MaybeLater<JsonBody | Refusal>;

/**
 * Creates the reader of JSON bodies. A body is bounded in size and time, and shares one memory budget with
 * all other requests.
 */
export function createBodyReader(gate: BodyGate, yieldQueue: YieldQueue): BodyReader {
  return (exchange) => {
    const { headers } = exchange.request;
    const decode = contentDecoder(headers);
    if (decode instanceof Refusal) return decode;
    const length = announcedLength(headers);
    if (length === undefined && !headers.has('transfer-encoding')) return parseBytes(new Uint8Array());
    if (length === undefined || length > SMALL_BODY_BYTES || decode !== undefined)
      return readLarge({ exchange, gate, decode, length }, yieldQueue);
    // Accessing `body` creates a stream, which costs 20 µs. A small body does not need one.
    return length > UNCOUNTED_BODY_BYTES
      ? readBooked(exchange, gate, length)
      : readWhole(exchange, gate, length);
  };
}

/** Reads a small body whole. `UnderWay.endLate` ends the exchange if the body is late. */
function readWhole(exchange: Exchange, { budget }: BodyGate, length: number): Promise<JsonBody | Refusal> {
  exchange.awaitsBody = true;
  budget.count(length);
  return exchange.request.arrayBuffer().then(
    (bytes) => {
      budget.uncount(length);
      if (!exchange.awaitsBody) return tooLate();
      exchange.awaitsBody = false;
      return parseBytes(bytes);
    },
    (error) => {
      budget.uncount(length);
      return brokenOff(error);
    },
  );
}

/**
 * Reads a body that holds its own size while it arrives. The copies made of it are booked when the last byte
 * arrives.
 */
async function readBooked(exchange: Exchange, gate: BodyGate, length: number): Promise<JsonBody | Refusal> {
  const booking = bookingOf(exchange, gate.budget);
  const growing = booking.grow(length, { unread: length });
  // There is mostly memory at once, and an `await` would cost another turn.
  if (!(growing instanceof Promise ? await growing : growing)) return outOfMemory();
  exchange.awaitsBody = true;
  try {
    const bytes = await exchange.request.arrayBuffer();
    if (!exchange.awaitsBody) return tooLate();
    exchange.awaitsBody = false;
    booking.add(length * (COPIES - 1));
    keepUntilHead(exchange, booking, length * KEPT_COPIES);
    return parseBytes(bytes);
  } catch (error) {
    return brokenOff(error);
  }
}

/** Reads a body that is counted while it arrives. */
async function readLarge(counted: CountedBody, yieldQueue: YieldQueue): Promise<JsonBody | Refusal> {
  try {
    const bytes = await readCounted(counted);
    return bytes instanceof Refusal ? bytes : await parseBooked(counted, bytes, yieldQueue);
  } catch (error) {
    return brokenOff(error);
  }
}

/** Parses a body whose memory is booked, in slices if it is large. */
async function parseBooked(
  { exchange, gate }: CountedBody,
  bytes: Uint8Array,
  yieldQueue: YieldQueue,
): Promise<JsonBody | Refusal> {
  const { byteLength } = bytes;
  if (byteLength <= UNCOUNTED_BODY_BYTES) {
    exchange.booking?.shrink(0);
    return parseBytes(bytes);
  }
  const booking = bookingOf(exchange, gate.budget);
  if (byteLength >= SLICED_BODY_BYTES) await yieldQueue.next();
  const text = decodeText(bytes);
  discard(bytes);
  if (text === undefined) return notText();
  const wideCopies = text.length < byteLength ? WIDE_COPIES : 0;
  booking.add(byteLength * (COPIES + wideCopies) - booking.held);
  keepUntilHead(exchange, booking, byteLength * (KEPT_COPIES + wideCopies));
  return byteLength < SLICED_BODY_BYTES ? parseBodyAtOnce(text) : parseBodyInTurns(text, yieldQueue);
}

/**
 * Keeps part of the booking until the head of the answer is ready. The edge frees the rest at the end of the
 * answer.
 */
function keepUntilHead(exchange: Exchange, booking: Booking, keptBytes: number): void {
  exchange.release = () => booking.shrink(keptBytes);
}

/** Parses the bytes of a small body. */
export function parseBytes(bytes: Uint8Array | ArrayBuffer): JsonBody | Refusal {
  const text = decodeText(bytes);
  return text === undefined ? notText() : parseBodyAtOnce(text);
}

const notText = () => new Refusal('invalid_json', { message: 'The body is not valid UTF-8.' });

/** Keeps a byte order mark: it is not valid JSON, so the parser reports it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
