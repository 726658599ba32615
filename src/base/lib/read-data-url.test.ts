import { expect, test } from 'bun:test';
import { readDataUrl } from './read-data-url.ts';

const textOf = (url: string) => Buffer.from(readDataUrl(url)!.data, 'base64').toString();

test('reads base64 data as it is, with the media type in lower case', () => {
  expect(readDataUrl('DATA:Image/PNG;BASE64,AAAA')).toEqual({ mediaType: 'image/png', data: 'AAAA' });
  expect(readDataUrl('data:;base64,AAAA')).toEqual({ mediaType: '', data: 'AAAA' });
  expect(readDataUrl('data:text/plain;charset=utf-8;base64,aMOp')).toEqual({
    mediaType: 'text/plain',
    data: 'aMOp',
  });
});

test('reads data without base64, with or without percent-encoding', () => {
  expect(readDataUrl('data:text/plain,hello')).toEqual({ mediaType: 'text/plain', data: 'aGVsbG8=' });
  expect(textOf('data:text/plain;charset=utf-8,a%2Cb, 100% h%C3%A9 h\u00e9')).toBe(
    'a,b, 100% h\u00e9 h\u00e9',
  );
});

test('converts text of another character set to UTF-8', () => {
  expect(textOf('data:text/plain;charset=ISO-8859-1;base64,aOk=')).toBe('h\u00e9');
  expect(textOf('data:text/plain;charset="iso-8859-1",h%e9')).toBe('h\u00e9');
  expect(textOf('data:text/plain;charset=unheard-of;base64,aMOp')).toBe('h\u00e9');
});

test('leaves bytes that are no text as they are, whatever their character set', () => {
  expect(readDataUrl('data:application/pdf;charset=ISO-8859-1;base64,aOk=')).toEqual({
    mediaType: 'application/pdf',
    data: 'aOk=',
  });
});

test('reads no other address', () => {
  expect(readDataUrl('https://a.test/data:text/plain,a')).toBeUndefined();
  expect(readDataUrl('data:text/plain')).toBeUndefined();
});
