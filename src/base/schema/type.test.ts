import { expect, test } from 'bun:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.ts';
import { createValidator } from './validator.ts';

/** Uses every factory but that of records, with and without keywords, and nested. */
const schemaBy = (factories: typeof Type) => {
  const text = factories.String({ minLength: 1 });
  const half = factories.Object({
    text,
    count: factories.Optional(factories.Integer({ minimum: 0, description: 'A count.' })),
    again: factories.Optional(factories.Optional(factories.Null())),
  });
  return factories.Object(
    {
      half,
      partial: factories.Partial(half, { additionalProperties: false }),
      copy: factories.Unsafe<string>({ ...factories.Optional(factories.Null()), description: 'No mark.' }),
      kept: factories.Unsafe<string>(factories.Optional(factories.Null())),
      empty: factories.Object({}),
      list: factories.Array(factories.Number(), { maxItems: 2 }),
      word: factories.Enum(['a', 'b'], { default: 'a' }),
      literals: factories.Union([
        factories.Literal('a'),
        factories.Literal(1),
        factories.Literal(true, { description: 'Yes.' }),
      ]),
      either: factories.Union([factories.Boolean(), factories.Unknown()], { title: 'Either' }),
      last: factories.Optional(factories.Unknown({ description: 'Anything.' })),
    },
    { additionalProperties: false },
  );
};

test('the factories build the same JSON Schema as those of TypeBox', () => {
  const text = JSON.stringify(schemaBy(Type), null, 2);
  expect(text).toBe(JSON.stringify(schemaBy(TypeBox), null, 2));
});

test('a record checks the values of all names, even of one with a line break', () => {
  const validate = createValidator(Type.Record(Type.String(), Type.String({ maxLength: 2 })));
  expect(validate({ a: 'no', 'b\nc': 'no' })).toBeUndefined();
  expect(validate({ 'b\nc': 'yes' })).toEqual({ path: ['b\nc'], message: 'must have at most 2 characters' });
});
