import { expect, test } from 'bun:test';
import { isOwnPage } from './is-own-page.ts';

const own = ['/', '/keys', '/requests?model=a%09b&x=//y#top', '/%2F/evil.example', '/@evil.example', '/a//b'];
const foreign = [
  '',
  'keys',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/..//evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  '/\u0000/evil.example',
  '/\u00a0/evil.example',
  '/keys\\..\\',
  'http:evil.example',
  '///evil.example',
  '//evil.example@host',
];

test.each(own)('follows the page %j of this server [AUT-36]', (page) => {
  expect(isOwnPage(page)).toBe(true);
});

test.each(foreign)('does not follow %j, which leaves the origin or has another form [AUT-36]', (page) => {
  expect(isOwnPage(page)).toBe(false);
});
