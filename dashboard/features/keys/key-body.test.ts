import { expect, test } from 'bun:test';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { changedMembers, KEEP_OWNER, keyBodyOf } from './key-body.ts';

test.each([
  ['no field of tags leaves them as they are', {}, {}],
  ['an empty field removes tags', { tags: ' , ' }, { tags: null }],
  ['commas separate tags, and a repeated one counts once', { tags: 'a, b c ,a' }, { tags: ['a', 'b c'] }],
  ['a key can belong to nobody', { person_id: '' }, { person_id: null }],
  ['a key can belong to a member', { person_id: 'usr_1' }, { person_id: 'usr_1' }],
  ['a former member stays the owner', { person_id: KEEP_OWNER }, {}],
])('%s', (_, values, body) => {
  const { tags, person_id } = keyBodyOf(values, []);
  expect(JSON.parse(JSON.stringify({ tags, person_id }))).toEqual(body);
});

test('a change has only what the person has changed', () => {
  const limits = { requests_per_min: 5, tokens_per_min: null, concurrent: null };
  const key = { name: 'laptop', payg: false, monthly_cap_usd: 7, allowed_models: null, limits, tags: [] };
  const listed = { ...key, retries: 'none', resumable: false, expires_at: null } as unknown as ListedKey;
  const values = { name: 'laptop', monthly_cap_usd: '7', requests_per_min: '5', tags: '', expiry: 'never' };
  expect(changedMembers(keyBodyOf(values, []), listed)).toEqual({});
  const renamed = keyBodyOf({ ...values, name: 'desktop', monthly_cap_usd: '' }, ['m']);
  expect(changedMembers(renamed, listed)).toEqual({
    name: 'desktop',
    monthly_cap_usd: null,
    allowed_models: ['m'],
  });
});
