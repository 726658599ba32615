import { expect, test } from 'bun:test';
import { shortenTexts } from './shorten-texts.ts';

test('leaves what a page can show as it is', () => {
  const value = { role: 'user', content: [{ text: 'a few words '.repeat(400) }, null, 3, true] };
  expect(shortenTexts(value)).toEqual({ value, isCut: false });
});

test('says how much of a long text or list is missing', () => {
  const { value, isCut } = shortenTexts({
    image: `data:image/png;base64,${'A'.repeat(1_000)}`,
    data: 'QUJD'.repeat(500),
    text: 'word '.repeat(2_000),
    list: Array.from({ length: 900 }, (_, index) => index),
  });
  const { image, data, text, list } = value as Record<string, string>;
  expect(isCut).toBe(true);
  expect(image).toEndWith('A… (962 more characters)');
  expect([data!.length, text!.length].every((length) => length < 6_100)).toBe(true);
  expect(data).toEndWith('… (1940 more characters)');
  expect(list).toHaveLength(500);
});

test('never cuts a character in half', () => {
  const { value } = shortenTexts(`x${'😀 '.repeat(4_000)}`);
  expect((value as string).isWellFormed()).toBe(true);
});
