import { crc32 } from 'node:zlib';

/** Parsed JSON of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of a simulated vendor
export type Json = any;

export type ParsedFrame = { name: string; body: Json };

export function parseSse(bytes: Uint8Array): ParsedFrame[] {
  return new TextDecoder()
    .decode(bytes)
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
      return {
        name: /^event: (.*)$/m.exec(block)?.[1] ?? '',
        body: data === '[DONE]' ? data : JSON.parse(data),
      };
    });
}

/** Parses AWS event-stream messages. Throws on an invalid checksum. */
export function parseAws(bytes: Uint8Array): ParsedFrame[] {
  const frames: ParsedFrame[] = [];
  const buffer = Buffer.from(bytes);
  for (let at = 0; at < buffer.length; at += buffer.readUInt32BE(at)) {
    frames.push(parseMessage(buffer.subarray(at, at + buffer.readUInt32BE(at))));
  }
  return frames;
}

function parseMessage(message: Buffer): ParsedFrame {
  if (crc32(message.subarray(0, 8)) !== message.readUInt32BE(8)) throw new Error('wrong prelude checksum');
  const end = message.length - 4;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end))
    throw new Error('wrong message checksum');
  const headersEnd = 12 + message.readUInt32BE(4);
  const headers = new Map<string, string>();
  for (let at = 12; at < headersEnd; ) {
    const nameEnd = at + 1 + message.readUInt8(at);
    const valueEnd = nameEnd + 3 + message.readUInt16BE(nameEnd + 1);
    headers.set(message.toString('utf8', at + 1, nameEnd), message.toString('utf8', nameEnd + 3, valueEnd));
    at = valueEnd;
  }
  const name = headers.get(':event-type') ?? headers.get(':exception-type') ?? '';
  return { name, body: JSON.parse(message.toString('utf8', headersEnd, end)) };
}
