import { expect, test } from 'bun:test';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { checkBodies, refuseBody } from './conversation-requests.ts';

const bodyOf = (value: unknown) => parseBodyAtOnce(JSON.stringify(value)) as JsonBody;

test('a reference to a stored item is no item of a conversation', () => {
  const said = { role: 'user', content: 'One.' };
  for (const reference of [{ id: 'msg_1' }, { type: 'item_reference', id: 'msg_1' }])
    for (const validate of [checkBodies.create, checkBodies.addItems])
      expect(refuseBody(bodyOf({ items: [said, reference] }), validate)?.details.param).toBe('items[1]');
  expect(refuseBody(bodyOf({ items: [said] }), checkBodies.addItems)).toBeUndefined();
});
