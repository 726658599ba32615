import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { type CredentialOptions, readCredential } from './read-credential.ts';

/** Returns the key, or the code and the message of the refusal. */
function read(headers: Record<string, string>, options: CredentialOptions, query = '') {
  const found = readCredential({ request: { headers: new Headers(headers) }, query }, options);
  return found instanceof Refusal ? `${found.code}: ${found.message}` : found;
}

const anywhere = { accepted: 'google', inAnyHeader: true } as const;

test('different keys are refused with the names of the two places', () => {
  const goog = { 'x-goog-api-key': 'one' };
  expect(read(goog, { accepted: 'google' }, '?key=two')).toBe(
    'invalid_api_key: There are different keys in the x-goog-api-key header and in the query parameter key.',
  );
  expect(read({ authorization: 'Bearer one', 'x-api-key': 'two' }, { accepted: 'either' })).toBe(
    'invalid_api_key: There are different keys in the Authorization header and in the x-api-key header.',
  );
  expect(read(goog, { accepted: 'google' }, '?key=one')).toBe('one');
});

test("an endpoint for Google's clients prefers and names the places of their keys", () => {
  expect(read({ 'x-api-key': 'one', 'x-goog-api-key': 'two' }, anywhere)).toBe('two');
  expect(read({ 'x-api-key': 'one' }, anywhere)).toBe('one');
  for (const place of ['x-goog-api-key', 'query parameter key', 'x-api-key', 'Authorization: Bearer'])
    expect(read({}, anywhere)).toContain(place);
});

test('a key in the wrong header is not a missing one', () => {
  expect(read({ 'x-api-key': 'one' }, { accepted: 'bearer' })).toBe(
    'invalid_api_key: This endpoint does not accept the key in that header. ' +
      'Send your API key as Authorization: Bearer.',
  );
  expect(read({ 'x-goog-api-key': 'one' }, { accepted: 'bearer' })).toStartWith('missing_api_key: ');
});
