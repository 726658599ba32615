import { expect, test } from 'bun:test';
import { isCommonPassword } from './is-common-password.ts';

const common = ['1234567890', 'qwertyuiop', 'password123', 'Password1234', ' PASSWORD123 ', 'basketball'];
const runs = ['1111111111', 'ababababab', '0123456789', '9876543210', 'abcdefghijkl', 'administrator'];

test.each([...common, ...runs])('knows %j as one of the most used passwords', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

const own = ['a long enough password', 'correct horse battery', 'qwertyuiop of the north', 'x7!mQ2#vLp'];

test.each(own)('accepts %j', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
