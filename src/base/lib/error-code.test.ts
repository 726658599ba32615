import { expect, test } from 'bun:test';
import { codeOfError, codeOrText } from './error-code.ts';

test('the code of an error is its text, never a number', () => {
  expect(codeOfError(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOfError(AbortSignal.abort().reason)).toBeUndefined();
  expect([undefined, null, 'ENOENT', new Error('none')].map(codeOfError)).toEqual(Array(4).fill(undefined));
});

test('an error without a code is named by its text', () => {
  expect(codeOrText(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOrText(new Error('the pipe closed'))).toBe('Error: the pipe closed');
});
