import type { Draw } from '../draw.ts';
import { joinBytes } from '../join-bytes.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateJson } from '../mutate-json.ts';
import { oddJson } from '../odd-json.ts';
import type { BaseAnswer } from './base-answers.ts';
import { breakStream } from './break-stream.ts';
import type { Script } from './scripted-upstream.ts';

type Framed = { bytes: Uint8Array; ending: Script['ending'] };
type Framing = (head: string, body: Uint8Array, draw: Draw) => Framed;

const byLength: Framing = (head, body) => ({
  bytes: joinBytes(`${head}content-length: ${body.length}\r\n\r\n`, body),
  ending: 'keep',
});

/** Writes chunks of any size. `broken` replaces one of them. */
function chunked(head: string, body: Uint8Array, draw: Draw, broken?: string): Uint8Array {
  const pieces: (string | Uint8Array)[] = [`${head}transfer-encoding: chunked\r\n\r\n`];
  const most = draw.of([1, 7, 100, 5_000]);
  const breaksAt = draw.below(Math.max(1, body.length));
  for (let at = 0, isBroken = false; at < body.length; ) {
    const piece = body.subarray(at, at + draw.between(1, Math.max(most, body.length / 200)));
    at += piece.length;
    pieces.push(piece.length.toString(16), draw.chance(0.05) ? ';a=b' : '', '\r\n', piece, '\r\n');
    if (broken !== undefined && !isBroken && at >= breaksAt) {
      pieces.push(broken);
      isBroken = true;
    }
  }
  return joinBytes(...pieces, '0\r\n', draw.chance(0.1) ? 'x-hidden: trailer\r\n' : '', '\r\n');
}

const BAD_CHUNKS = [
  'zz\r\nab\r\n',
  '-1\r\na\r\n',
  'ffffffffffffffffff\r\n',
  '\r\n',
  '5\r\nab',
  '2\nab\n',
  '0x2\r\nab\r\n',
  '2\r\nabcd\r\n',
  '0\r\n\r\n',
  `${'0'.repeat(40)}1\r\na\r\n`,
  `1;${'x'.repeat(20_000)}\r\na\r\n`,
  '+1\r\na\r\n',
] as const;

const proper: readonly Framing[] = [
  byLength,
  byLength,
  (head, body, draw) => ({ bytes: chunked(head, body, draw), ending: 'keep' }),
  (head, body, draw) => ({ bytes: chunked(head, body, draw), ending: 'close' }),
  (head, body) => ({ bytes: joinBytes(`${head}connection: close\r\n\r\n`, body), ending: 'close' }),
];

const improper: readonly Framing[] = [
  (head, body, draw) => ({
    bytes: chunked(head, body, draw, draw.of(BAD_CHUNKS)),
    ending: draw.of(['keep', 'close']),
  }),
  (head, body, draw) => ({ bytes: mutateBytes(chunked(head, body, draw), draw), ending: 'close' }),
  // It promises more or less than it has.
  (head, body, draw) => ({
    bytes: joinBytes(
      `${head}content-length: ${Math.max(0, body.length + draw.between(-20, 20))}\r\n\r\n`,
      body,
    ),
    ending: draw.of(['keep', 'close', 'close', 'close', 'reset']),
  }),
  (head, body, draw) => ({
    bytes: joinBytes(
      `${head}content-length: ${draw.of(['-1', '1e3', '99999999999999999999', 'x', '', '1, 2'])}\r\n\r\n`,
      body,
    ),
    ending: 'close',
  }),
  (head, body) => ({
    bytes: joinBytes(`${head}content-length: ${body.length}\r\ncontent-length: 3\r\n\r\n`, body),
    ending: 'close',
  }),
  (head, body, draw) => ({
    bytes: chunked(`${head}content-length: ${body.length}\r\n`, body, draw),
    ending: 'close',
  }),
  (head, body, draw) => {
    const { bytes } = draw.of(proper)(head, body, draw);
    return {
      bytes: bytes.subarray(0, draw.below(bytes.length + 1)),
      ending: draw.of(['close', 'close', 'reset']),
    };
  },
  // The host sends more than one answer to one request.
  (head, body, draw) => {
    const { bytes } = byLength(head, body, draw);
    return { bytes: joinBytes(bytes, draw.chance(0.5) ? bytes : 'garbage'), ending: 'keep' };
  },
  (head, body, draw) => ({
    ...byLength(`HTTP/1.1 ${draw.of([100, 102, 103])} x\r\n\r\n${head}`, body, draw),
  }),
  (head, body, draw) => ({ bytes: mutateBytes(byLength(head, body, draw).bytes, draw), ending: 'close' }),
];

const STATUS_LINES = [
  ...[201, 204, 206, 301, 304, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529, 599, 999].map(
    (status) => `HTTP/1.1 ${status} Hidden`,
  ),
  'HTTP/1.0 200 OK',
  'HTTP/1.1 200',
  'HTTP/2 200 OK',
  'HTTP/1.1 2000 OK',
  'HTTP/1.1 -200 OK',
  'ICY 200 OK',
  'http/1.1 200 ok',
  'HTTP/1.1  200 OK',
  'HTTP/1.1 abc OK',
  '',
] as const;

const ODD_HEADERS = [
  'content-encoding: gzip',
  'content-type: text/html',
  'content-type:',
  'transfer-encoding: gzip, chunked',
  'retry-after: 99999999',
  'retry-after: -1',
  'retry-after: Sat, 99 Foo',
  'date: never',
  'no colon',
  ': no name',
  'x-folded: a\r\n b',
  'connection: upgrade\r\nupgrade: websocket',
  'location: https://hidden.example/',
  `x-long: ${'x'.repeat(70_000)}`,
  'x-nul: a\0b',
  'set-cookie: hidden=1',
  'x-high: \xff\xfe',
  'trailer: x-hidden',
  'content-length : 5',
  'keep-alive: timeout=0',
  'x-request-id: hidden',
] as const;

/** Breaks an answer in the way of a broken upstream or a broken network. */
export function breakAnswer(base: BaseAnswer, { isStream, draw }: { isStream: boolean; draw: Draw }): Script {
  const body = isStream ? breakStream(base, draw) : breakWhole(base.bytes, draw);
  const status = draw.chance(0.92) ? 'HTTP/1.1 200 OK' : draw.of(STATUS_LINES);
  const type = draw.chance(0.98)
    ? base.contentType
    : draw.of(['', 'text/plain', 'application/json', 'text/event-stream']);
  const odd = draw.chance(0.08) ? `${draw.of(ODD_HEADERS)}\r\n` : '';
  const head = `${status}\r\nserver: hidden\r\ncontent-type: ${type}\r\n${odd}`;
  const framed = draw.of(draw.chance(0.75) ? proper : improper)(head, body, draw);
  const { bytes, ending } = draw.chance(0.01) ? cutAndSilent(framed.bytes, draw) : framed;
  return { pieces: inPieces(bytes, draw), ending };
}

const cutAndSilent = (bytes: Uint8Array, draw: Draw): Framed => ({
  bytes: bytes.subarray(0, draw.below(bytes.length)),
  ending: 'wait',
});

function breakWhole(bytes: Uint8Array, draw: Draw): Uint8Array {
  const changed = changedText(new TextDecoder().decode(bytes), draw);
  return draw.chance(0.25) ? mutateBytes(Buffer.from(changed), draw) : Buffer.from(changed);
}

function changedText(text: string, draw: Draw): string {
  if (draw.chance(0.06)) return oddJson(draw);
  return draw.chance(0.8) ? mutateJson(text, draw) : text;
}

/** Cuts bytes anywhere, within characters and line ends too. */
function inPieces(bytes: Uint8Array, draw: Draw): Uint8Array[] {
  const cuts = draw.chance(0.5) ? 0 : draw.between(1, draw.of([2, 8, 30]));
  const places = Array.from({ length: cuts }, () => draw.below(bytes.length + 1)).sort((a, b) => a - b);
  return [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end));
}
