import { expect, test } from 'bun:test';
import { prepareRequestHead } from './request-head.ts';

const url = 'http://host.example/v1/x';

test('rejects a header that could be read as several', () => {
  for (const value of ['a\r\nx: b', 'a\nb', 'a\rb', 'a\0b', 'a\u010ab', 'a\u010db', 'a\u20ac', 'a\x7f'])
    expect(() => prepareRequestHead(url, { 'x-a': value })).toThrow(TypeError);
  for (const name of ['', 'a b', 'a:', 'a\r\nb', '\u00fc'])
    expect(() => prepareRequestHead(url, { [name]: 'a' })).toThrow(TypeError);
});

test('ignores given framing headers and all but the last of several values', () => {
  const fields = {
    'Content-Length': '3',
    'Transfer-Encoding': 'chunked',
    'X-A': '1',
    'x-a': '2',
    Host: 'other',
  };
  expect(prepareRequestHead(url, fields).text).toBe(
    'POST /v1/x HTTP/1.1\r\nhost: other\r\nx-a: 2\r\ncontent-length: ',
  );
});

test('sends credentials in a URL as a header', () => {
  const { text } = prepareRequestHead('https://me:a%20b@host.example/', {});
  expect(text).toContain(`authorization: Basic ${btoa('me:a b')}\r\n`);
  expect(text).toStartWith('POST / HTTP/1.1\r\nhost: host.example\r\n');
  const own = prepareRequestHead('https://me:a@host.example/', { Authorization: 'Bearer b' });
  expect(own.text).toContain('authorization: Bearer b\r\n');
});

test.each([
  ['http://host.example/', 'host.example', 80, false],
  ['https://host.example/', 'host.example', 443, true],
  ['http://[::1]:8080/', '::1', 8080, false],
])('parses the origin of %s', (address, hostname, port, isTls) => {
  expect(prepareRequestHead(address, {}).origin).toMatchObject({ hostname, port, isTls });
});
