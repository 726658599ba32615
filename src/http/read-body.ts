import { Refusal } from '../errors/refusal.ts';
import type { BodyGate, Booking } from './body-gate.ts';
import { decodeContent, isKnownEncoding } from './content-encoding.ts';
import type { Exchange } from './exchange.ts';
import { type Filled, IncomingBody } from './incoming-body.ts';
import { type JsonBody, parseJsonObject } from './json-body.ts';
import { tooLate } from './under-way.ts';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Bodies up to here are not gated: the number of connections bounds them, and nearly every request is one. */
export const SMALL_BODY_BYTES = 256 * 1024;
/** Text, parsed value and patched text live side by side while the upstream thinks. */
export const COPIES = 3;
/** Most clients write their whole body before they read: a refusal that comes earlier reaches them as a broken connection. */
const DRAIN_BYTES = 32 * 1024 * 1024;

export type BodyReader = (exchange: Exchange) => Read | Promise<Read>;

type Read = JsonBody | Refusal;

/**
 * Reads a JSON body: bounded in size and time, and together with all others in flight in memory. What a large one holds is held until the
 * edge calls `exchange.release`.
 */
export function createBodyReader(gate: BodyGate): BodyReader {
  return (exchange) => {
    const { headers } = exchange.request;
    const encoding = headers.get('content-encoding');
    if (encoding !== null && !isKnownEncoding(encoding)) {
      return new Refusal('invalid_request', {
        message: `The content-encoding is not known; send gzip, br, deflate, zstd or none.`,
      });
    }
    const announced = headers.get('content-length');
    if (announced === null && !headers.has('transfer-encoding')) return parse(new Uint8Array());
    const length = announced === null ? undefined : Number.parseInt(announced, 10);
    // Touching `body` makes a stream of it: 20 µs, which a small body need not pay.
    const isSmall = length !== undefined && length <= SMALL_BODY_BYTES;
    if (isSmall && encoding === null) return readWhole(exchange);
    return readCounted({ exchange, gate, encoding }, length).then(parse, brokenOff);
  };
}

/** Who is told of it while it has not come: see `UnderWay.endLate`. */
function readWhole(exchange: Exchange): Promise<Read> {
  exchange.awaitsBody = true;
  return exchange.request.arrayBuffer().then((bytes) => {
    if (!exchange.awaitsBody) return tooLate();
    exchange.awaitsBody = false;
    return parse(bytes);
  }, brokenOff);
}

/** A client that leaves in the middle of its own request is no failure of ours. */
function brokenOff(error: unknown): Refusal {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  return new Refusal('invalid_request', { message: 'The body broke off.', headers: { connection: 'close' } });
}

function parse(bytes: Bytes | ArrayBuffer): Read {
  if (bytes instanceof Refusal) return bytes;
  const text = decodeText(bytes);
  return text === undefined
    ? new Refusal('invalid_json', { message: 'The body is not valid UTF-8.' })
    : parseJsonObject(text);
}

/** Keeps a byte order mark: it is no JSON, and the parser says so. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

type Bytes = Uint8Array | Refusal;

type Visit = { exchange: Exchange; gate: BodyGate; encoding: string | null; booking?: Booking };

async function readCounted(visit: Visit, length: number | undefined): Promise<Bytes> {
  const { body } = visit.exchange.request;
  if (body === null) return new Uint8Array();
  if (length !== undefined && length > DRAIN_BYTES) return new Refusal('body_too_large');
  const incoming = new IncomingBody(body, visit.gate.clock);
  if (length !== undefined && length > MAX_BODY_BYTES) return refuseTooLarge(incoming);
  const filled = await fill(visit, incoming, length ?? MAX_BODY_BYTES);
  if (filled === 'late') return tooLate();
  if (filled === 'no-room') return noRoom(incoming);
  if (filled === 'full') {
    visit.booking?.free(); // draining holds nothing
    return refuseTooLarge(incoming);
  }
  const bytes = visit.encoding === null ? incoming.bytes : await decode(visit, incoming.bytes);
  const isKept = !(bytes instanceof Refusal) && bytes.byteLength > SMALL_BODY_BYTES;
  visit.booking?.shrink(isKept ? bytes.byteLength * COPIES : 0);
  return bytes;
}

/** A large body is let in when its first part has come, so that a connection that sends nothing holds nothing. */
async function fill(visit: Visit, incoming: IncomingBody, limit: number): Promise<Filled | 'no-room'> {
  const filled = await incoming.fill(Math.min(limit, SMALL_BODY_BYTES));
  if (filled !== 'full' || limit <= SMALL_BODY_BYTES) return filled;
  const isBooked = await book(visit, visit.encoding === null ? limit : MAX_BODY_BYTES);
  return isBooked ? incoming.fill(limit) : 'no-room';
}

async function book(visit: Visit, bytes: number): Promise<boolean> {
  const booking = await visit.gate.book(bytes * COPIES);
  if (booking === undefined) return false;
  visit.booking = booking;
  visit.exchange.release = booking.free;
  return true;
}

/** What stays small needs no room; only what does not is decoded once more, with room for all that it may become. */
async function decode(visit: Visit, sent: Uint8Array): Promise<Bytes> {
  const encoding = visit.encoding!;
  if (visit.booking === undefined) {
    const small = await decodeContent(encoding, sent, SMALL_BODY_BYTES);
    if (!(small instanceof Refusal) || small.code !== 'body_too_large') return small;
    if (!(await book(visit, MAX_BODY_BYTES))) return noRoom();
  }
  return decodeContent(encoding, sent, MAX_BODY_BYTES);
}

async function refuseTooLarge(incoming: IncomingBody): Promise<Refusal> {
  if ((await incoming.drain(DRAIN_BYTES)) === 'full') await incoming.cancel();
  return new Refusal('body_too_large');
}

async function noRoom(incoming?: IncomingBody): Promise<Refusal> {
  await incoming?.cancel();
  return new Refusal('capacity_unavailable', { retryAfterMs: 1_000, headers: { connection: 'close' } });
}
