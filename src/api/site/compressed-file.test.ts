import { expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chosenEncoding, compressFile } from './compressed-file.ts';

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
  expect(cases.map(([header]) => chosenEncoding(header))).toEqual(cases.map(([, chosen]) => chosen) as never);
});

test('a file has the same content in every encoding', async () => {
  const text = 'text of a file '.repeat(50);
  const file = await compressFile('main-abc.js', new TextEncoder().encode(text));
  expect([brotliDecompressSync(file.br).toString(), gunzipSync(file.gzip).toString()]).toEqual([text, text]);
  expect(file.br.length).toBeLessThan(file.plain.length / 5);
  expect(file.type).toBe('text/javascript; charset=utf-8');
});
