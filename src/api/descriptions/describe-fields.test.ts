import { expect, test } from 'bun:test';
import { Type } from '../../base/schema/type.ts';
import { describeFields } from './describe-fields.ts';

test('each field gets its text in a copy of the schema', () => {
  const schema = Type.Object({ model: Type.String(), n: Type.Optional(Type.Integer({ minimum: 1 })) });
  const before = JSON.stringify(schema);
  const described = describeFields(schema, 'A request', { model: 'The model to use.' });
  expect(described).toMatchObject({
    title: 'A request',
    required: ['model'],
    properties: { model: { type: 'string', description: 'The model to use.' }, n: { minimum: 1 } },
  });
  expect(JSON.stringify(schema)).toBe(before);
});
