import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MalformedAnswer } from './answer-head.ts';
import { AnswerParser } from './answer-parser.ts';

type Read = { status: number; body: string; left: number; isDone: boolean; isLast: boolean; heads: number };

/** Parses the pieces in order. `isClosed`: the host has closed its side. */
function read(pieces: readonly Buffer[], { isClosed = false } = {}): Read {
  const bodies: Buffer[] = [];
  let status = 0;
  let heads = 0;
  const parser = new AnswerParser({
    onHead(head) {
      status = head.status;
      heads++;
    },
    onBody: (bytes, from, end) => void bodies.push(bytes.subarray(from, end)),
  });
  parser.begin();
  let left = 0;
  for (const piece of pieces) left += parser.isDone ? piece.length : parser.push(piece);
  if (isClosed) parser.finish();
  const { isDone, isLast } = parser;
  return { status, body: Buffer.concat(bodies).toString(), left, isDone, isLast, heads };
}

const readText = (text: string, host?: { isClosed: boolean }) => read([Buffer.from(text)], host);

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const answers = {
  'of a known length': 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nX-A: b\r\n\r\ngr\u00fc\u00dfeNEXT',
  'in chunks':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;a="b"\r\nxyz\r\n' +
    '00A \r\n0123456789\r\n0\r\nX-Trailer: 1\r\nOther: 2\r\n\r\nHTTP/1.1',
  'after interim ones':
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' +
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi',
  'to the close': 'HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nall of it\r\n\r\n',
  'without a body': 'HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n',
  'without a reason': 'HTTP/1.1 299\r\ncontent-length: 0\r\n\r\nmore',
};

describe.each(Object.entries(answers))('an answer %s', (_, text) => {
  test('is parsed equally wherever it is cut', () => {
    const bytes = Buffer.from(text);
    const whole = read([bytes]);
    expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(whole);
    const places = fc.array(fc.nat(bytes.length), { maxLength: 9 });
    fc.assert(
      fc.property(places, (at) => expect(read(cut(bytes, at))).toEqual(whole)),
      { numRuns: 200 },
    );
  });
});

test('reads bodies in chunks of any size', () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });
  const property = fc.property(chunks, fc.array(fc.nat(), { maxLength: 6 }), (parts, places) => {
    const bytes = Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
      ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
      Buffer.from('0\r\n\r\n'),
    ]);
    const { body, isDone, left } = read(cut(bytes, places));
    expect({ body, isDone, left }).toEqual({ body: Buffer.concat(parts).toString(), isDone: true, left: 0 });
  });
  fc.assert(property, { numRuns: 200 });
});

test('reports the bytes after the declared length of an answer', () => {
  expect(readText(answers['of a known length'])).toMatchObject({
    body: 'gr\u00fc\u00dfe',
    left: 4,
    isDone: true,
  });
  expect(readText(answers['in chunks'])).toMatchObject({ isDone: true, left: 8, isLast: false });
  expect(readText(answers['in chunks']).body).toBe('xyz0123456789');
  expect(readText(answers['after interim ones'])).toMatchObject({ status: 200, body: 'hi', heads: 1 });
  expect(readText(answers['without a body'])).toMatchObject({ status: 204, body: '', isDone: true });
  expect(readText(answers['without a reason'])).toMatchObject({ status: 299, left: 4 });
});

test('reads an answer without a length until the connection closes', () => {
  expect(readText(answers['to the close'])).toMatchObject({ isDone: false, isLast: true });
  expect(readText(answers['to the close'], { isClosed: true })).toMatchObject({
    body: 'all of it\r\n\r\n',
    isDone: true,
  });
});

test.each([
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', false],
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close\r\n\r\n', true],
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: x, close\r\n\r\n', true],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', true],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n', false],
  ['HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', true],
  ['HTTP/1.1 200 OK\r\ncontent-length: 0, 0\r\ncontent-length: 0\r\n\r\n', false],
])('%j is the last answer of its connection: %p', (text, isLast) => {
  expect(readText(text)).toMatchObject({ isDone: true, isLast });
});

const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;
const chunked = head('transfer-encoding: chunked');

const named = (texts: readonly string[]) => texts.map((text) => [JSON.stringify(text.slice(0, 60)), text]);

test.each(
  named([
    'hidden\r\n\r\n',
    'SSH-2.0-hidden\r\n',
    'HTTP/2',
    'HTTP/1.1 200 OK\ncontent-length: 0\n\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 0200 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    head('no field'),
    head('a : b'),
    head('a: b\r\n folded'),
    head(': b'),
    head('a: b\nc: d'),
    head('a: b\rc'),
    head('a: \0'),
    head('content-length: -1'),
    head('content-length: 1e3'),
    head('content-length: 0x10'),
    head('content-length: '),
    head('content-length: 99999999999999999999'),
    head('content-length: 1, 2'),
    head('content-length: 1\r\ncontent-length: 2'),
    head('transfer-encoding: gzip, chunked'),
    head('transfer-encoding: chunked\r\ntransfer-encoding: chunked'),
    head('transfer-encoding: identity'),
    `${chunked}x\r\n`,
    `${chunked}\r\n`,
    `${chunked};a\r\n`,
    `${chunked}-1\r\n`,
    `${chunked}1\n`,
    `${chunked}1\r\nab\r\n`,
    `${chunked}1\r\na\n`,
    `${chunked}1 a\n`,
    `${chunked}0\r\na: b\n\r\n`,
    `${chunked}0\r\n\rx`,
    `${chunked}11111111111111\r\n`,
    `${chunked}1;${'x'.repeat(5_000)}`,
    `${chunked}0\r\n${'x'.repeat(70_000)}`,
    head(`a: ${'x'.repeat(66_000)}`),
    `HTTP/1.1 200 OK\r\n${'x'.repeat(66_000)}`,
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3_000),
  ]),
)('rejects the malformed answer %s', (_, text) => {
  expect(() => readText(text!)).toThrow(MalformedAnswer);
  const bytes = Buffer.from(text!);
  if (bytes.length < 1_000)
    expect(() => read(Array.from(bytes, (byte) => Buffer.from([byte])))).toThrow(MalformedAnswer);
});

test.each(
  named([
    '',
    'HTTP/1.1 200 OK\r\n',
    `${head('content-length: 5')}four`,
    `${chunked}5\r\nfour`,
    `${chunked}1\r\na\r\n`,
    `${chunked}0\r\n`,
  ]),
)('rejects the incomplete answer %s', (_, text) => {
  expect(() => readText(text!, { isClosed: true })).toThrow(MalformedAnswer);
});
