import { expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CompressedFile, chooseEncoding } from './compressed-file.ts';

test('the smallest encoding that the browser accepts is chosen', () => {
  const cases: [string | null, string][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['br; q=0.0, gzip; q=0', 'plain'],
    ['brother', 'plain'],
    ['', 'plain'],
    [null, 'plain'],
  ];
  expect(cases.map(([header]) => chooseEncoding(header))).toEqual(cases.map(([, chosen]) => chosen) as never);
});

test('a file that is compressed once has the same content in every encoding', async () => {
  const text = 'text of a file '.repeat(50);
  const file = new CompressedFile('main-abc.js', new TextEncoder().encode(text));
  const br = await file.in('br');
  const unpacked = [brotliDecompressSync(br), gunzipSync(await file.in('gzip')), await file.in('plain')];
  expect(unpacked.map((bytes) => new TextDecoder().decode(bytes))).toEqual([text, text, text]);
  expect(br.length).toBeLessThan(text.length / 5);
  expect(await file.in('br')).toBe(br);
  expect(file.type).toBe('text/javascript; charset=utf-8');
});
