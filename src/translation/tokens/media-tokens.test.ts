import { describe, expect, test } from 'bun:test';
import { findTokenFamily } from './find-token-family.ts';
import { byArea, byLargeTiles, byTiles } from './image-rules.ts';
import { readImageSize } from './image-size.ts';
import { mediaTokens } from './media-tokens.ts';
import { countPdfPages } from './pdf-pages.ts';

const base64 = (...parts: (string | number[])[]): string =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64');

describe('reads the size of an image from its header', () => {
  const headers: Record<string, string> = {
    PNG: base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 2, 128, 0, 0, 1, 224], 'rest'),
    GIF: base64('GIF89a', [128, 2, 224, 1], 'rest'),
    JPEG: base64([0xff, 0xd8, 0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff, 0xc2, 0, 11, 8, 1, 224, 2, 128, 3, 0, 0]),
    'lossy WebP': base64('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a', [128, 2, 224, 1], 'rest'),
    'lossless WebP': base64('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f', [127, 194, 119, 0], 'restrest'),
    'extended WebP': base64('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0', [127, 2, 0, 223, 1, 0], 'rest'),
  };

  test.each(Object.entries(headers))('%s', (_, data) => {
    expect(readImageSize(data)).toEqual({ width: 640, height: 480 });
  });

  test('returns no size for data that is not an image, is truncated or has no size', () => {
    const cut = Object.values(headers).map((data) => data.slice(0, 12));
    for (const data of [...cut, '', 'AAAA', '????', base64('\x89PNG', new Array(30).fill(0))])
      expect(readImageSize(data)).toBeUndefined();
  });
});

test('uses a separate image rule for each maker', () => {
  const size = (width: number, height: number) => ({ width, height });
  expect(byArea(size(750, 100), 'auto')).toBe(100);
  expect(byArea(size(1092, 1092), 'auto')).toBe(1_590);
  expect(byArea(size(8_000, 8_000), 'auto')).toBe(1_600);
  expect(byArea(size(1, 1), 'auto')).toBe(1);
  expect(byTiles(size(1_024, 1_024), 'high')).toBe(765);
  expect(byTiles(size(2_048, 4_096), 'high')).toBe(1_105);
  expect(byTiles(size(4_096, 8_192), 'low')).toBe(85);
  expect(byLargeTiles(size(384, 384), 'auto')).toBe(258);
  expect(byLargeTiles(size(960, 540), 'auto')).toBe(516);
});

test('counts the pages of a document, or guesses them from its size', () => {
  const pdf = (text: string) => Buffer.from(text).toString('base64');
  expect(countPdfPages(pdf('<</Type/Page>> <</Type /Page >> <</Type/Pages/Count 2>>'))).toBe(2);
  expect(countPdfPages(pdf('<</Type/Pages /Count 17>>'))).toBe(17);
  expect(countPdfPages(pdf('x'))).toBe(1);
  expect(countPdfPages(pdf('x'.repeat(120_000)))).toBe(3);
});

test('counts an image by its dimensions and not by its bytes', () => {
  const claude = findTokenFamily({ upstreamModel: 'claude-x', isSimulated: false });
  const data = base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 2, 238, 0, 0, 0, 100], 'x'.repeat(1_000_000));
  expect(mediaTokens({ kind: 'image', data, detail: undefined }, claude, 'quick')).toBe(100);
  expect(mediaTokens({ kind: 'image', data: undefined, detail: undefined }, claude, 'quick')).toBe(1_600);
});

test('counts sound by its duration', () => {
  const gemini = findTokenFamily({ upstreamModel: 'gemini-x', isSimulated: false });
  // 24,000 samples a second of 16 bits.
  const format = [16, 0, 0, 0, 1, 0, 1, 0, 0xc0, 0x5d, 0, 0, 0x80, 0xbb, 0, 0, 2, 0, 16, 0];
  const wave = base64('RIFF\0\0\0\0WAVEfmt ', format, 'x'.repeat(480_000 - 36));
  expect(mediaTokens({ kind: 'audio', data: wave, isWav: true }, gemini, 'thorough')).toBe(320);
  const mp3 = base64('x'.repeat(48_000));
  expect(mediaTokens({ kind: 'audio', data: mp3, isWav: false }, gemini, 'thorough')).toBe(96);
});
