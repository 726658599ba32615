import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { isCommonPassword, OWN_WORDS, PASSWORD_LISTS } from './is-common-password.ts';

const commonPasswords = [
  'sleepyhollow',
  '1234567890',
  'qwertyuiop',
  'password123',
  'Password1234',
  ' PASSWORD123 ',
  'basketball',
];
const runs = ['1111111111', 'ababababab', '0123456789', '9876543210', 'abcdefghijkl', 'administrator'];

test.each([...commonPasswords, ...runs])('knows %j as one of the most used passwords', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test('the lists have more than 3,000 passwords that are long enough, each once and in lower case', () => {
  const passwords = PASSWORD_LISTS.flatMap((list) => list.trim().split(/\s+/));
  expect(passwords.length).toBeGreaterThan(3_000);
  expect(new Set(passwords).size).toBe(passwords.length);
  for (const password of passwords) {
    expect(password).toBe(password.normalize('NFKC').toLowerCase());
    expect(password.length).toBeGreaterThanOrEqual(10);
  }
});

const own = [
  'tollgate of the north',
  'a long enough password',
  'correct horse battery',
  'qwertyuiop of the north',
  'x7!mQ2#vLp',
];

test.each(own)('accepts %j', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

const named = ['Tollgate-2026!', 'gateway.admin.1', 'owner-owner-7', 'welcome welcome'];

test.each(named)('refuses %j, which is made of words of the product, digits and signs', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test('docs/people.md lists the words of the product', () => {
  const page = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8');
  for (const word of OWN_WORDS) expect(page).toContain(`\`${word}\``);
});
