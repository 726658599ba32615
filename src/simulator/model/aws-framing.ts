import { crc32 } from 'node:zlib';
import type { Framing, SimulatorEvent } from './stream-event.ts';

/**
 * The lengths of parts of an AWS event-stream message: the prelude (two lengths and their CRC) and the
 * closing CRC.
 */
const PRELUDE_BYTES = 12;
const CRC_BYTES = 4;
/** The type number of a string header. */
const STRING_HEADER = 7;

const EXCEPTION = /Exception$/;

export const AWS_FRAMING: Framing = {
  contentType: 'application/vnd.amazon.eventstream',
  encode: encodeMessage,
  malformed: spoil(
    encodeMessage({ name: 'contentBlockDelta', data: '{"simulated":"malformed"}', tokens: 0 }),
  ),
};

function encodeMessage({ name = '', data }: SimulatorEvent): Uint8Array {
  const headers = Buffer.concat(headersOf(name).map(([key, value]) => encodeHeader(key, value)));
  const payload = Buffer.from(data);
  const message = Buffer.alloc(PRELUDE_BYTES + headers.length + payload.length + CRC_BYTES);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, PRELUDE_BYTES);
  payload.copy(message, PRELUDE_BYTES + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -CRC_BYTES)), message.length - CRC_BYTES);
  return message;
}

function headersOf(name: string): [string, string][] {
  const kind = EXCEPTION.test(name) ? 'exception' : 'event';
  return [
    [`:${kind}-type`, name],
    [':content-type', 'application/json'],
    [':message-type', kind],
  ];
}

function encodeHeader(name: string, value: string): Buffer {
  const header = Buffer.alloc(1 + name.length + 1 + 2 + value.length);
  header.writeUInt8(name.length, 0);
  header.write(name, 1, 'latin1');
  header.writeUInt8(STRING_HEADER, 1 + name.length);
  header.writeUInt16BE(value.length, 2 + name.length);
  header.write(value, 4 + name.length, 'latin1');
  return header;
}

/** Returns the message with an invalid closing checksum. */
function spoil(message: Uint8Array): Uint8Array {
  const spoiled = Uint8Array.from(message);
  spoiled[spoiled.length - 1]! ^= 0xff;
  return spoiled;
}
