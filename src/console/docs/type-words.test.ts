import { expect, test } from 'bun:test';
import { nodeOf } from '../../base/schema/schema-node.ts';
import { Type } from '../../base/schema/type.ts';
import { typeWords } from './type-words.ts';

const orNull = (schema: Parameters<typeof Type.Union>[0][number]) => Type.Union([schema, Type.Null()]);

const cases = [
  [Type.Integer({ minimum: 1, maximum: 1_000 }), 'integer, 1–1,000'],
  [orNull(Type.Number({ exclusiveMinimum: 0 })), 'number, over 0 or null'],
  [Type.Enum(['a', 'b']), '"a" or "b"'],
  [Type.Array(Type.String(), { maxItems: 9 }), 'array of strings, at most 9 items'],
  [Type.String({ pattern: '^x', expected: 'an email address' }), 'string, an email address'],
  [Type.String({ minLength: 1, maxLength: 64 }), 'string, 1–64 characters'],
  [Type.Unknown(), 'any'],
] as const;

for (const [schema, words] of cases) {
  test(`describes a type as: ${words}`, () => expect(typeWords(nodeOf(schema))).toBe(words));
}
