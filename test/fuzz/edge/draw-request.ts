import zlib from 'node:zlib';
import { BodyMaker } from '../../holds/random-body.ts';
import type { Draw } from '../draw.ts';
import { fuzzKey, fuzzPath } from '../fuzz-dialects.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateJson } from '../mutate-json.ts';
import { oddJson } from '../odd-json.ts';
import { richBodies } from './rich-bodies.ts';

/** A request below HTTP: the lines of its head and the bytes of its body, before they are framed. */
export type DrawnRequest = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
};

type Coder = (bytes: Uint8Array) => Uint8Array;

const coders: Record<string, Coder> = {
  identity: (bytes) => bytes,
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  GZip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};

/** Unknown and unsupported codings. */
const ODD_CODINGS = [
  '',
  'compress',
  'gzip, gzip',
  'gzip,br',
  ' gzip',
  'identity, gzip',
  'x',
  'gzip;q=1',
  '__proto__',
  'toString',
];

const dialectPaths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
};

export type Names = { models: readonly string[]; vectors: readonly string[]; key: string };

/** Draws a request of any dialect whose body is valid, almost valid, or nothing of the kind. */
export function drawRequest(names: Names, draw: Draw): DrawnRequest {
  const { path: wanted, text } = draw.chance(0.7) ? richText(names, draw) : strangeText(names, draw);
  const path = fuzzPath(
    { path: draw.chance(0.95) ? wanted : draw.of(richBodies).path },
    draw.of(names.models),
    { isStream: draw.chance(0.5) },
  );
  const written = draw.chance(0.1) ? mutateBytes(Buffer.from(text), draw) : Buffer.from(text);
  const { body, coding } = encoded(written, draw);
  return {
    method: 'POST',
    path,
    headers: [
      draw.chance(0.92) ? Object.entries(fuzzKey({ path }, names.key))[0]! : ['x-api-key', names.key],
      [
        'content-type',
        draw.chance(0.9)
          ? 'application/json'
          : draw.of(['text/plain', '', 'application/json; charset=utf-16']),
      ],
      ...(coding === undefined ? [] : ([['content-encoding', coding]] as [string, string][])),
      ...(draw.chance(0.1) ? [draw.of(ODD_FIELDS)] : []),
    ],
    body,
  };
}

const ODD_FIELDS: readonly [string, string][] = [
  ['x-svc-strict', 'true'],
  ['x-svc-strict', 'maybe'],
  ['x-svc-payment-mode', 'payg'],
  ['x-svc-payment-mode', 'nobody'],
  ['anthropic-version', '1'],
  ['anthropic-beta', 'a,b,,c'],
  ['idempotency-key', 'x'.repeat(300)],
  ['accept-encoding', 'gzip'],
  ['accept', 'text/html'],
  ['expect', '100-continue'],
  ['expect', 'nothing'],
  ['origin', 'https://a.example'],
  ['upgrade', 'websocket'],
  ['range', 'bytes=0-5'],
  ['if-none-match', '*'],
  ['x-forwarded-for', '::1, 10.0.0.1, x'],
];

function richText({ models, vectors }: Names, draw: Draw): { path: string; text: string } {
  const { path, body } = draw.of(richBodies);
  const text = JSON.stringify(body(draw.of(path.endsWith('embeddings') ? vectors : models)));
  return { path, text: draw.chance(0.8) ? mutateJson(text, draw) : text };
}

/** Bodies of any shape with a model that exists, or anything else in place of a body. */
function strangeText({ models, vectors }: Names, draw: Draw): { path: string; text: string } {
  const { dialect, value } = new BodyMaker(() => draw.below(2 ** 30) / 2 ** 30).next();
  const path = dialectPaths[dialect];
  const model = draw.of(dialect === 'embeddings' ? vectors : models);
  const text = draw.chance(0.85) ? JSON.stringify({ ...value, model }) : oddJson(draw);
  return { path, text: draw.chance(0.5) ? mutateJson(text, draw) : text };
}

function encoded(bytes: Uint8Array, draw: Draw): { body: Uint8Array; coding?: string } {
  if (draw.chance(0.75)) return { body: bytes };
  if (draw.chance(0.2)) return { body: bytes, coding: draw.of(ODD_CODINGS) };
  const coding = draw.of(Object.keys(coders));
  const body = coders[coding]!(bytes);
  return { body: draw.chance(0.3) ? mutateBytes(body, draw) : body, coding };
}
