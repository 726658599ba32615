import { expect, spyOn, test } from 'bun:test';
import { crc32 } from 'node:zlib';
import { AWS_FRAMING } from '../../../simulator/model/aws-framing.ts';
import { AwsEventStream } from './aws-event-stream.ts';

const message = (name: string, data: string) => AWS_FRAMING.encode({ name, data, tokens: 0 });

/** Builds a message with arbitrary headers, length and checksums, which the simulator would not send. */
function rawMessage(headers: Buffer, payload: string, total?: number): Buffer {
  const bytes = Buffer.alloc(16 + headers.length + Buffer.byteLength(payload));
  bytes.writeUInt32BE(total ?? bytes.length, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, 12);
  bytes.write(payload, 12 + headers.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function header(name: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([type]), value]);
}

function text(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  return header(name, 7, Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]));
}

const sent = [
  ['messageStart', '{"role":"assistant"}'],
  ['contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"häß 🜁"}}'],
  ['metadata', '{}'],
  ['messageStop', '{"stopReason":"end_turn"}'],
] as const;
const stream = Buffer.concat(sent.map(([name, data]) => message(name, data)));
const frames = sent.map(([event, data]) => ({ event, data }));

test('returns the same frames wherever the bytes are cut in two places', () => {
  for (let first = 0; first <= stream.length; first++) {
    for (let second = first; second <= stream.length; second += 7) {
      const splitter = new AwsEventStream();
      const pieces = [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)];
      expect(pieces.flatMap((piece) => splitter.push(piece))).toEqual(frames);
      expect(splitter.end()).toEqual([]);
    }
  }
});

test('returns the same frames when the bytes arrive one by one', () => {
  const splitter = new AwsEventStream();
  expect([...stream].flatMap((byte) => splitter.push(Uint8Array.of(byte)))).toEqual(frames);
});

test('marks exceptions and errors in their frames', () => {
  const splitter = new AwsEventStream();
  expect(splitter.push(message('throttlingException', '{"message":"slow"}'))).toEqual([
    { event: 'exception:throttlingException', data: '{"message":"slow"}' },
  ]);
  const headers = Buffer.concat([
    text(':message-type', 'error'),
    text(':error-code', 'InternalFailure'),
    text(':error-message', 'it "broke"'),
  ]);
  expect(splitter.push(rawMessage(headers, ''))).toEqual([
    { event: 'exception:InternalFailure', data: '{"message":"it \\"broke\\""}' },
  ]);
});

test('skips headers of every other type', () => {
  const others = [0, 1].map((type) => header('b', type, Buffer.alloc(0)));
  const sized = [1, 2, 4, 8].map((bytes, at) => header('n', at + 2, Buffer.alloc(bytes, 0xff)));
  const rest = [header('t', 8, Buffer.alloc(8)), header('u', 9, Buffer.alloc(16))];
  const run = header('r', 6, Buffer.from([0, 2, 1, 2]));
  const headers = Buffer.concat([...others, ...sized, ...rest, run, text(':event-type', 'metadata')]);
  expect(new AwsEventStream().push(rawMessage(headers, '{}'))).toEqual([{ event: 'metadata', data: '{}' }]);
});

test('rejects a message with any single flipped bit', () => {
  const whole = message('metadata', '{"usage":{}}');
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const spoilt = Uint8Array.from(whole);
    spoilt[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => {
      const splitter = new AwsEventStream();
      splitter.push(spoilt);
      splitter.end();
    }).toThrow(SyntaxError);
  }
  expect(() => new AwsEventStream().push(AWS_FRAMING.malformed)).toThrow(SyntaxError);
});

test('rejects impossible lengths, truncated headers and an early end', () => {
  const none = Buffer.alloc(0);
  const tooLong = rawMessage(none, '', 24 * 1024 * 1024 + 1);
  const tooShort = rawMessage(none, '', 15);
  const cut = rawMessage(text(':event-type', 'metadata').subarray(0, -1), '');
  const unknown = rawMessage(header('x', 77, none), '');
  for (const bytes of [tooLong, tooShort, cut, unknown]) {
    expect(() => new AwsEventStream().push(bytes)).toThrow(SyntaxError);
  }
  const splitter = new AwsEventStream();
  splitter.push(stream.subarray(0, -1));
  expect(() => splitter.end()).toThrow(SyntaxError);
});

test('copies the bytes of a large message in small pieces at most twice', () => {
  const large = message('contentBlockDelta', 'x'.repeat(8_000_000));
  const concat = spyOn(Buffer, 'concat');
  const splitter = new AwsEventStream();
  let count = 0;
  for (let at = 0; at < large.length; at += 64) count += splitter.push(large.subarray(at, at + 64)).length;
  const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
  concat.mockRestore();
  expect(count).toBe(1);
  expect(copied).toBeLessThanOrEqual(2 * large.length);
});
