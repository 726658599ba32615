import { expect, test } from 'bun:test';
import { KEEP_OWNER, keyBodyOf } from './key-body.ts';

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
