import type { Draw } from '../draw.ts';
import { joinBytes } from '../join-bytes.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import type { DrawnRequest } from './draw-request.ts';

type Framing = (request: DrawnRequest, draw: Draw) => { fields: string; body: Uint8Array };

const lengthOf = (length: number | string): string => `content-length: ${length}\r\n`;
const CHUNKED = 'transfer-encoding: chunked\r\n';

function inChunks(body: Uint8Array, draw: Draw, broken = ''): Uint8Array {
  const pieces: (string | Uint8Array)[] = [];
  const most = Math.max(1, draw.of([1, 16, 400, 9_000]), body.length / 100);
  const breaksAt = draw.below(body.length + 1);
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + draw.between(1, most));
    if (at <= breaksAt && breaksAt < at + piece.length) pieces.push(broken);
    pieces.push(piece.length.toString(16), '\r\n', piece, '\r\n');
    at += piece.length;
  }
  return joinBytes(...pieces, '0\r\n', draw.chance(0.1) ? 'x-trailer: 1\r\n' : '', '\r\n');
}

const byLength: Framing = ({ body }) => ({ fields: lengthOf(body.length), body });

const framings: readonly Framing[] = [
  byLength,
  byLength,
  byLength,
  ({ body }, draw) => ({ fields: CHUNKED, body: inChunks(body, draw) }),
];

const BROKEN_CHUNKS = [
  'zz\r\n',
  '-1\r\na\r\n',
  'ffffffffffffffff\r\n',
  '\r\n',
  '5\r\nab',
  '2\nab\n',
  '0x2\r\nab\r\n',
  '0\r\n\r\n',
  '2\r\nabcd\r\n',
  `1;${'x'.repeat(20_000)}\r\na\r\n`,
  '+1\r\na\r\n',
  ' 1\r\na\r\n',
  '1 \r\na\r\n',
  '1\r\na\n\n',
] as const;

const SMUGGLED = 'GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n';

/** Framings on which two readers may disagree, and lengths that are not so. */
const brokenFramings: readonly Framing[] = [
  ({ body }, draw) => ({ fields: CHUNKED, body: inChunks(body, draw, draw.of(BROKEN_CHUNKS)) }),
  ({ body }, draw) => ({ fields: CHUNKED, body: mutateBytes(inChunks(body, draw), draw) }),
  ({ body }, draw) => ({ fields: lengthOf(body.length) + CHUNKED, body: inChunks(body, draw) }),
  ({ body }, draw) => ({ fields: CHUNKED + lengthOf(3), body: joinBytes(inChunks(body, draw), SMUGGLED) }),
  ({ body }) => ({ fields: lengthOf(body.length) + lengthOf(body.length + 1), body }),
  ({ body }) => ({ fields: lengthOf(body.length) + lengthOf(body.length), body }),
  ({ body }) => ({ fields: lengthOf(0), body: joinBytes(body, SMUGGLED) }),
  ({ body }, draw) => ({ fields: lengthOf(Math.max(0, body.length + draw.between(-9, 9))), body }),
  ({ body }, draw) => ({
    fields: lengthOf(draw.of(['-1', '+5', '5 5', '0x10', '1e2', '', '99999999999999999999', '10485761'])),
    body,
  }),
  ({ body }, draw) => ({
    fields: `transfer-encoding: ${draw.of(['gzip, chunked', 'chunked, gzip', 'xchunked', 'chunked\r\ntransfer-encoding: x', ' chunked', 'Chunked', 'identity', '\x0bchunked'])}\r\n`,
    body: inChunks(body, draw),
  }),
  ({ body }, draw) => ({ fields: `content-length ${draw.of([' :', '\t:', ''])} ${body.length}\r\n`, body }),
  ({ body }) => ({ fields: '', body }),
];

const METHODS = [
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'post',
  'POSTPOST',
  'P OST',
  '',
  'QUERY',
  'PRI',
];

const TARGETS = [
  '/',
  '*',
  '',
  '//',
  '/v1',
  '/v1/',
  '/v1//chat/completions',
  '/v1/chat/completions/',
  '/V1/Chat/Completions',
  '/v1/%63hat/completions',
  '/v1/chat/completions?x=%',
  '/v1/models/%',
  '/v1/models/%00',
  '/v1/models/../../etc/passwd',
  '/v1/models/%2e%2e%2f',
  '/v1/models/%ff',
  'http://a.example/v1/models',
  'https://a.example:99999/v1/models',
  'http://[::1/v1/models',
  'a.example:443',
  'v1/models',
  '/v1/models#x',
  '/v1/responses/resp_1',
  '/v1/responses/resp_1/input_items?limit=-1&after=%00',
  '/v1/usage/x',
  '/v1/usage?from=x&to=9e99',
  '/v1/batches?limit=1e9',
  '/v1/messages/batches/x/results',
  '/v1/complete',
  '/v1/engines/x',
  '/metrics',
  '/healthz',
  '/docs',
  '/openapi.json',
  '/admin/v1/accounts',
  '/admin/v1/catalog/%',
  '/v1/models?limit=0&after_id=x',
  '/v1/models/a%2Fb',
  `/${'a/'.repeat(3_000)}`,
  `/v1/models/${'x'.repeat(9_000)}`,
  '/v1/models/\xff',
  '/v1/mod\0els',
  '/v1/models\tHTTP/1.0',
  '/v1/models HTTP/1.1 x',
  '/constructor',
  '/__proto__',
  '/v1/models/__proto__',
] as const;

const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.2',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP',
  '',
] as const;

const ODD_LINES = [
  'host: b',
  'host:',
  'no colon',
  ': no name',
  ' folded: before',
  'x-folded: a\r\n b',
  'x y: 1',
  'x\0: 1',
  'x: a\0b',
  'x: \x7f\x01',
  `x-long: ${'x'.repeat(17_000)}`,
  `${'x'.repeat(17_000)}: 1`,
  `x: ${'x'.repeat(9_000)}`,
  'connection: keep-alive, close, x',
  'connection: upgrade',
  'expect: 100-continue',
  'upgrade: h2c',
  'te: trailers',
  'authorization: Bearer',
  'authorization: Basic x',
  'x-api-key: \xff',
  'content-type: \xff',
  'cookie: a=b; c',
  'x-forwarded-host: evil.example',
  'forwarded: for=x',
  'proxy-connection: x',
  'transfer-encoding:',
  '\rx: 1',
  'x: 1\n\ny: 2',
] as const;

/** As any client would send it. */
export function writeWell({ method, path, headers, body }: DrawnRequest): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `${method} ${path} HTTP/1.1\r\nhost: gate.test\r\nconnection: close\r\n`;
  return joinBytes(`${head}${lines}${lengthOf(body.length)}\r\n`, body);
}

/** The bytes of a request, with changes to its first line, its fields, its framing, or anywhere. */
export function writeRequest(request: DrawnRequest, draw: Draw): Uint8Array {
  const method = draw.chance(0.85) ? request.method : draw.of(METHODS);
  const target = draw.chance(0.85) ? request.path : draw.of(TARGETS);
  const version = draw.chance(0.95) ? 'HTTP/1.1' : draw.of(VERSIONS);
  const end = draw.chance(0.97) ? '\r\n' : draw.of(['\n', '\r']);
  const { fields, body } = draw.of(draw.chance(0.6) ? framings : brokenFramings)(request, draw);
  const lines = [...request.headers.map(([name, value]) => `${name}: ${value}`)];
  if (draw.chance(0.97)) lines.unshift('host: gate.test');
  if (draw.chance(0.2)) lines.splice(draw.below(lines.length + 1), 0, draw.of(ODD_LINES));
  if (draw.chance(0.02)) lines.push(...Array.from({ length: draw.of([90, 300]) }, (_, at) => `x-${at}: 1`));
  if (draw.chance(0.1)) lines.push(draw.of(lines));
  const head = `${method} ${target} ${version}${end}${lines.join(end)}${end}`;
  const bytes = joinBytes(head, fields, 'connection: close\r\n', end, body);
  return draw.chance(0.15) ? mutateBytes(bytes, draw) : bytes;
}

/** Nothing that was ever a request. */
export const randomBytes = (draw: Draw): Uint8Array =>
  Uint8Array.from({ length: draw.of([1, 20, 300, 20_000]) }, () => draw.below(256));
