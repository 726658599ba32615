import { Refusal } from '../../base/errors/refusal.ts';
import {
  COPIES,
  DRAIN_BYTES,
  KEPT_COPIES,
  MAX_BODY_BYTES,
  MAX_EXPANSION,
  SLICED_BODY_BYTES,
  SMALL_BODY_BYTES,
  STEP_BYTES,
  UNCOUNTED_BODY_BYTES,
  UNREAD_BYTES,
  WIDE_COPIES,
} from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce, parseBodyInTurns } from '../../base/json/parse-body.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { BodyGate } from './body-gate.ts';
import { decodeContent, isKnownEncoding } from './content-encoding.ts';
import { discard } from './discard.ts';
import type { Exchange } from './exchange.ts';
import { bookingOf, outOfMemory } from './hold-memory.ts';
import { type Filled, IncomingBody } from './incoming-body.ts';
import { tooLate } from './under-way.ts';

export type BodyReader = (exchange: Exchange) => Read | Promise<Read>;

type Read = JsonBody | Refusal;

/** Reads a body that is no JSON, of up to `maxBytes` bytes after its decoding. */
export type RawBodyReader = (exchange: Exchange, maxBytes: number) => Promise<Uint8Array | Refusal>;

/**
 * Creates the reader of JSON bodies.
 * A body is bounded in size and time, and shares one memory budget with all other requests.
 */
export function createBodyReader(gate: BodyGate, yieldQueue: YieldQueue): BodyReader {
  return (exchange) => {
    const { headers } = exchange.request;
    const encoding = headers.get('content-encoding');
    if (encoding !== null && !isKnownEncoding(encoding)) return unknownEncoding();
    const announced = headers.get('content-length');
    if (announced === null && !headers.has('transfer-encoding')) return parse(new Uint8Array());
    const length = announced === null ? undefined : Number.parseInt(announced, 10);
    if (length === undefined || length > SMALL_BODY_BYTES || encoding !== null)
      return readLarge({ exchange, gate, yieldQueue, encoding }, length);
    // Accessing `body` creates a stream, which costs 20 µs. A small body does not need one.
    return length > UNCOUNTED_BODY_BYTES
      ? readBooked(exchange, gate, length)
      : readWhole(exchange, gate, length);
  };
}

const unknownEncoding = (): Refusal =>
  new Refusal('invalid_request', {
    message: `The content-encoding is not supported; use gzip, br, deflate, zstd or none.`,
  });

/** Creates the reader of other bodies. They share the memory budget and the times of JSON bodies. */
export function createBytesReader(gate: BodyGate): RawBodyReader {
  return async (exchange, maxBytes) => {
    const { headers } = exchange.request;
    const encoding = headers.get('content-encoding');
    if (encoding !== null && !isKnownEncoding(encoding)) return unknownEncoding();
    const announced = headers.get('content-length');
    const length = announced === null ? undefined : Number.parseInt(announced, 10);
    if (length !== undefined && length > maxBytes) return tooManyBytes(maxBytes);
    try {
      const bytes = await readCounted({ exchange, gate, encoding }, length);
      return bytes instanceof Refusal || bytes.byteLength <= maxBytes ? bytes : tooManyBytes(maxBytes);
    } catch (error) {
      return brokenOff(error);
    }
  };
}

const tooManyBytes = (maxBytes: number): Refusal =>
  new Refusal('body_too_large', { message: `The request body is larger than ${maxBytes / 1_024} KB.` });

/** Reads a small body whole. `UnderWay.endLate` ends the exchange if the body is late. */
function readWhole(exchange: Exchange, { budget }: BodyGate, length: number): Promise<Read> {
  exchange.awaitsBody = true;
  budget.count(length);
  return exchange.request.arrayBuffer().then(
    (bytes) => {
      budget.uncount(length);
      if (!exchange.awaitsBody) return tooLate();
      exchange.awaitsBody = false;
      return parse(bytes);
    },
    (error) => {
      budget.uncount(length);
      return brokenOff(error);
    },
  );
}

/**
 * Reads a body that holds its own size while it arrives.
 * The copies made of it are booked when the last byte arrives.
 */
async function readBooked(exchange: Exchange, gate: BodyGate, length: number): Promise<Read> {
  const booking = bookingOf(exchange, gate.budget);
  const growing = booking.grow(length, { unread: length });
  if (!(growing instanceof Promise ? await growing : growing)) return outOfMemory();
  exchange.awaitsBody = true;
  try {
    const bytes = await exchange.request.arrayBuffer();
    if (!exchange.awaitsBody) return tooLate();
    exchange.awaitsBody = false;
    booking.add(length * (COPIES - 1));
    keepUntilHead(exchange, booking, length * KEPT_COPIES);
    return parse(bytes);
  } catch (error) {
    return brokenOff(error);
  }
}

/**
 * Keeps part of the booking until the head of the answer is ready.
 * The edge frees the rest at the end of the answer.
 */
function keepUntilHead(exchange: Exchange, booking: Booking, keptBytes: number): void {
  exchange.release = () => booking.shrink(keptBytes);
}

/** Refuses a body that the client abandoned, which is not a failure of the gateway. Rethrows other errors. */
function brokenOff(error: unknown): Refusal {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  return new Refusal('invalid_request', {
    message: 'The connection closed before the whole body arrived.',
    headers: { connection: 'close' },
  });
}

function parse(bytes: Uint8Array | ArrayBuffer): Read {
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

type Bytes = Uint8Array | Refusal;

type Arrival = { exchange: Exchange; gate: BodyGate; encoding: string | null };
type Visit = Arrival & { yieldQueue: YieldQueue };

async function readLarge(visit: Visit, length: number | undefined): Promise<Read> {
  try {
    const bytes = await readCounted(visit, length);
    return bytes instanceof Refusal ? bytes : await parseLarge(visit, bytes);
  } catch (error) {
    return brokenOff(error);
  }
}

async function parseLarge({ exchange, gate, yieldQueue }: Visit, bytes: Uint8Array): Promise<Read> {
  const { byteLength } = bytes;
  if (byteLength <= UNCOUNTED_BODY_BYTES) {
    exchange.booking?.shrink(0);
    return parse(bytes);
  }
  const booking = bookingOf(exchange, gate.budget);
  if (byteLength >= SLICED_BODY_BYTES) await yieldQueue.next();
  const text = decodeText(bytes);
  discard(bytes);
  if (text === undefined) return notText();
  const isWide = text.length < byteLength;
  booking.add(byteLength * (isWide ? COPIES + WIDE_COPIES : COPIES) - booking.held);
  keepUntilHead(exchange, booking, byteLength * (isWide ? KEPT_COPIES + WIDE_COPIES : KEPT_COPIES));
  return byteLength < SLICED_BODY_BYTES ? parseBodyAtOnce(text) : parseBodyInTurns(text, yieldQueue);
}

async function readCounted(visit: Arrival, length: number | undefined): Promise<Bytes> {
  const { body } = visit.exchange.request;
  if (body === null) return new Uint8Array();
  if (length !== undefined && length > DRAIN_BYTES) return new Refusal('body_too_large');
  const incoming = new IncomingBody(body, visit.gate.clock);
  if (length !== undefined && length > MAX_BODY_BYTES) return refuseTooLarge(visit, incoming);
  const filled = await fill(visit, incoming, length);
  if (filled === 'late') return tooLate();
  if (filled === 'no-space') return noSpace(visit, incoming);
  if (filled === 'full') return refuseTooLarge(visit, incoming);
  return visit.encoding === null ? incoming.bytes : decode(visit, incoming.bytes);
}

/**
 * Reads a body into the buffer. Memory is booked when the first bytes arrive, so an idle connection holds
 * nothing. A body of known length books all of it at once. If it arrives slowly, the missing part is given up
 * and booked again step by step.
 */
async function fill(
  { exchange, gate }: Arrival,
  incoming: IncomingBody,
  length: number | undefined,
): Promise<Filled | 'no-space'> {
  const limit = length ?? MAX_BODY_BYTES;
  incoming.allowed = Math.min(limit, UNCOUNTED_BODY_BYTES);
  const first = await incoming.fill(limit);
  if (first !== 'full' || limit <= UNCOUNTED_BODY_BYTES) return first;
  const booking = bookingOf(exchange, gate.budget);
  const before = booking.held;
  const leave = gate.arrivals.add(incoming, () => booking.shrink(before + incoming.allowed * COPIES));
  try {
    let unread = Math.min(limit, UNREAD_BYTES);
    let booked = 0;
    for (let step = length ?? STEP_BYTES; ; step = Math.min(limit - booked, STEP_BYTES)) {
      const growing = booking.grow(step * COPIES, { unread });
      if (!(growing instanceof Promise ? await growing : growing)) return 'no-space';
      booked += step;
      unread = 0;
      incoming.allowed = booked;
      const filled = await incoming.fill(limit);
      if (filled !== 'full' || incoming.allowed >= limit) return filled;
      booked = incoming.allowed; // less, if the body was found to be slow
    }
  } finally {
    leave();
  }
}

/**
 * Decodes a compressed body. A small result needs no more memory.
 * A larger one is decoded again, with memory for its maximum size.
 */
async function decode({ exchange, gate, encoding }: Arrival, sent: Uint8Array): Promise<Bytes> {
  const small = await decodeContent(encoding!, sent, SMALL_BODY_BYTES);
  if (!(small instanceof Refusal) || small.code !== 'body_too_large') return small;
  const maxBytes = Math.min(MAX_BODY_BYTES, sent.byteLength * MAX_EXPANSION);
  if (maxBytes <= SMALL_BODY_BYTES) return small;
  const booking = bookingOf(exchange, gate.budget);
  const growing = booking.grow(maxBytes * COPIES - booking.held, { unread: sent.byteLength });
  if (!(growing instanceof Promise ? await growing : growing)) return outOfMemory();
  const decoded = await decodeContent(encoding!, sent, maxBytes);
  discard(sent);
  return decoded;
}

async function refuseTooLarge({ exchange }: Arrival, incoming: IncomingBody): Promise<Refusal> {
  exchange.booking?.shrink(0); // draining holds nothing
  if ((await incoming.drain(DRAIN_BYTES)) === 'full') await incoming.cancel();
  return new Refusal('body_too_large');
}

/**
 * Refuses a body for lack of memory. Some refused bodies are read to their end, so that their clients see
 * when to retry. That also needs memory, so their number is limited.
 */
async function noSpace({ exchange, gate }: Arrival, incoming: IncomingBody): Promise<Refusal> {
  exchange.booking?.shrink(0);
  const leave = gate.drains.enter();
  if (!leave) {
    await incoming.cancel();
    return outOfMemory({ connection: 'close' });
  }
  try {
    const drained = await incoming.drain(DRAIN_BYTES);
    if (drained === 'ended') return outOfMemory();
    await incoming.cancel();
    return outOfMemory({ connection: 'close' });
  } finally {
    leave();
  }
}
