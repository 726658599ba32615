import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { renameParam } from './rename-param.ts';

const names = { reasoning_effort: 'reasoning.effort' };

test('uses the field name of the client, in the message too', () => {
  const refusal = new Refusal('route_not_qualified', {
    param: 'reasoning_effort',
    message: 'reasoning_effort: not that',
    cause: 'log',
  });
  const renamed = renameParam(refusal, names);
  expect(renamed).toMatchObject({ param: 'reasoning.effort', message: 'reasoning.effort: not that.' });
  expect(renamed.details.cause).toBe('log');
});

test('keeps the names of other fields and dialects', () => {
  const other = new Refusal('invalid_request', { param: 'tool_choice' });
  expect(renameParam(other, names)).toBe(other);
  expect(renameParam(new Refusal('content_filter'), names).param).toBeNull();
  expect(renameParam(other)).toBe(other);
});
