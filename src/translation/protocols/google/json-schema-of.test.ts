import { expect, test } from 'bun:test';
import { jsonSchemaOf } from './json-schema-of.ts';

test("converts the vendor's schemas to JSON Schema", () => {
  const properties = {
    name: { type: 'STRING', min_length: '1' },
    tags: { type: 'ARRAY', items: { type: 'STRING' } },
  };
  expect(jsonSchemaOf({ type: 'OBJECT', properties, propertyOrdering: ['name', 'tags'] })).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    additionalProperties: false,
  });
  const open = { type: 'OBJECT', properties: {}, additional_properties: { type: 'STRING' } };
  expect(jsonSchemaOf(open)).toMatchObject({ additionalProperties: { type: 'string' } });
});

test('a nullable schema allows null beside its values and alternatives', () => {
  expect(jsonSchemaOf({ type: 'STRING', format: 'enum', nullable: true, enum: ['a'] })).toEqual({
    type: ['string', 'null'],
    enum: ['a', null],
  });
  const any_of = [{ type: 'STRING' }, { type: 'NUMBER' }];
  const alternatives = [{ type: 'string' }, { type: 'number' }, { type: 'null' }];
  expect(jsonSchemaOf({ any_of, nullable: true })).toEqual({ anyOf: alternatives });
  expect(jsonSchemaOf({ anyOf: [...any_of, { type: 'NULL' }], nullable: true })).toEqual({
    anyOf: alternatives,
  });
});
