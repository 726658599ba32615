import { expect, test } from 'bun:test';
import { samplePattern } from './sample-pattern.ts';
import { sampleSchema } from './sample-schema.ts';

test.each([
  [{ type: 'string', minLength: 25, maxLength: 30 }, /^simulated value\.{10}$/],
  [{ type: 'string', maxLength: 3 }, /^sim$/],
  [{ type: 'string', format: 'date' }, /^\d{4}-\d\d-\d\d$/],
])('samples a text within its bounds: %j', (schema, expected) => {
  expect(sampleSchema(schema)).toMatch(expected);
});

test.each([
  [{ type: 'integer', minimum: 5 }, 5],
  [{ type: 'integer', exclusiveMinimum: 5 }, 6],
  [{ type: 'integer', maximum: -3 }, -3],
  [{ type: 'number', minimum: 0, maximum: 0.2 }, 0],
  [{ type: 'integer', multipleOf: 7, minimum: 8 }, 14],
  [{ const: 'x' }, 'x'],
  [{ enum: [3, 4] }, 3],
  [{ type: ['null', 'boolean'] }, true],
  [{ type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true }, [1, 2]],
  [{ type: 'array', items: { type: 'integer' }, maxItems: 0 }, []],
  [{ anyOf: [{ type: 'object', properties: { a: { const: 1 } } }, { type: 'null' }] }, { a: 1 }],
  [{ allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
  [{ type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } } }, { a: true }],
])('samples a value that is valid for its schema: %j', (schema, expected) => {
  expect(sampleSchema(schema)).toEqual(expected);
});

test('knows no type, format, reference or property by a name of the prototype', () => {
  const schema = {
    type: 'constructor',
    required: ['toString', '__proto__', 'format', 'reference'],
    properties: {
      format: { type: 'string', format: 'constructor' },
      reference: { $ref: '#/constructor' },
    },
  };
  expect(JSON.parse(JSON.stringify(sampleSchema(schema)))).toEqual(
    JSON.parse(
      '{"toString":"simulated toString","__proto__":"simulated __proto__","format":"simulated format","reference":{}}',
    ),
  );
});

test('ends on a recursive schema', () => {
  const node = {
    type: 'object',
    properties: {
      next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      list: { type: 'array', items: { $ref: '#/$defs/node' } },
    },
    required: ['next', 'list'],
  };
  expect(JSON.stringify(sampleSchema({ $ref: '#/$defs/node', $defs: { node } })).length).toBeLessThan(10_000);
});

test.each([
  '^[A-Z]{3}-\\d{4}$',
  '^(?:red|green)+$',
  '^\\w+@\\w+\\.(com|org)$',
  '^[^a-z]{2,}$',
  '^(a(b|c)|d)\\s?x*$',
  '^[0-9a-f]{8}$',
])('writes a text that matches %s', (pattern) => {
  expect(samplePattern(pattern)).toMatch(new RegExp(pattern));
});

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { allOf: [next, next] }];
  }),
);

const manyMembers = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`member${at}`, at]));

test.each([
  [{ type: 'string', minLength: 1e12 }],
  [{ type: 'string', pattern: '(?:(?:a{99999}){99999}){99999}' }],
  [{ type: 'string', pattern: '[z-a]' }],
  [{ type: 'string', pattern: '('.repeat(100_000) }],
  [{ type: 'array', minItems: 1e12 }],
  [{ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }],
  [{ $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } }],
  [{ $ref: '#/$defs/d0', $defs: doubling }],
  [{ $ref: '#/%' }],
  [{ type: 'array', minItems: 1e9, items: { const: 'x'.repeat(1e6) } }],
  [{ type: 'array', minItems: 1e9, items: { properties: { ['x'.repeat(1e6)]: { type: 'boolean' } } } }],
  [{ type: 'array', minItems: 1e9, items: { type: 'string', pattern: '[a]?'.repeat(100_000) } }],
  [{ type: 'array', minItems: 1e9, items: { ...manyMembers, type: 'string' } }],
  [{ type: 'array', minItems: 1e9, items: { anyOf: Array.from({ length: 100_000 }, () => ({})) } }],
])('a schema with a very large instance ends, and so does an invalid one: %#', (schema) => {
  expect(JSON.stringify(sampleSchema(schema)).length).toBeLessThan(3_000_000);
});
