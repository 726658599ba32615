import { Refusal } from '../errors/refusal.ts';
import type { BodyGate } from './body-gate.ts';
import { decodeContent, isKnownEncoding } from './content-encoding.ts';
import type { Exchange } from './exchange.ts';
import { type JsonBody, parseJsonObject } from './json-body.ts';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Bytes, their text and the parsed value live side by side: what a body may hold of the gate beside its own size. */
const COPIES = 3;

export type BodyReader = (exchange: Exchange) => Promise<JsonBody | Refusal>;

/** Reads a JSON body: bounded in size and time, and together with all others in flight in memory. */
export function createBodyReader(gate: BodyGate): BodyReader {
  return async (exchange) => {
    const bytes = await readBytes(exchange.request, gate);
    if (bytes instanceof Refusal) return bytes;
    const text = decodeText(bytes);
    return text === undefined
      ? new Refusal('invalid_json', { message: 'The body is not valid UTF-8.' })
      : parseJsonObject(text);
  };
}

/** Keeps a byte order mark: it is no JSON, and the parser says so. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

async function readBytes(request: Request, gate: BodyGate): Promise<Uint8Array | Refusal> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && !isKnownEncoding(encoding)) {
    return new Refusal('invalid_request', {
      message: `The content-encoding is not known; send gzip, br, deflate, zstd or none.`,
    });
  }
  const announced = request.headers.get('content-length');
  if (announced === null && !request.headers.has('transfer-encoding')) return new Uint8Array();
  const length = announced === null ? MAX_BODY_BYTES : Number.parseInt(announced, 10);
  if (length > MAX_BODY_BYTES) return new Refusal('body_too_large');
  const held = gate.tryEnter(length * COPIES) || (await gate.enter(length * COPIES));
  if (!held) return new Refusal('capacity_unavailable', { retryAfterMs: 1_000 });
  try {
    // Touching `body` makes a stream of it: 20 µs, which a body of known size need not pay.
    const sent =
      announced === null ? await collect(request.body, gate) : await gate.withinTime(request.bytes());
    if (sent instanceof Refusal) return sent;
    return encoding === null || encoding === 'identity'
      ? sent
      : await decodeContent(encoding, sent, MAX_BODY_BYTES);
  } finally {
    gate.leave(length * COPIES);
  }
}

/** A body that did not announce its size is counted on its way in. */
async function collect(
  body: ReadableStream<Uint8Array> | null,
  gate: BodyGate,
): Promise<Uint8Array | Refusal> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const everything = async (): Promise<Uint8Array | Refusal> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > MAX_BODY_BYTES) return new Refusal('body_too_large');
      chunks.push(value);
    }
  };
  const result = await gate.withinTime(everything());
  if (result instanceof Refusal) await reader.cancel().catch(() => {});
  return result;
}
