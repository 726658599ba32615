import { expect, test } from 'bun:test';
import { Type } from '../../base/schema/type.ts';
import { fieldRows } from './field-rows.ts';

const orNull = (schema: Parameters<typeof Type.Union>[0][number]) => Type.Union([schema, Type.Null()]);

test('lists fields inside objects, arrays and unions with their paths', () => {
  const item = Type.Object({ role: Type.Enum(['user', 'tool']), text: Type.Optional(Type.String()) });
  const body = Type.Object({
    items: Type.Array(item),
    only: Type.Optional(orNull(Type.Object({ one: Type.Boolean() }))),
  });
  expect(fieldRows(body).map(({ path, required }) => [path, required])).toEqual([
    ['items', true],
    ['items[].role', true],
    ['items[].text', false],
    ['only', false],
    ['only.one', true],
  ]);
});

test('lists the kinds of a union apart, each by the field that distinguishes it from the others', () => {
  const text = Type.Object({ type: Type.Literal('text'), text: Type.String() });
  const image = Type.Object({ type: Type.Enum(['image', 'photo']), url: Type.String() });
  const choice = Type.Object({ name: Type.String() });
  const tool = Type.Object({ tool: Type.String() });
  const body = Type.Object({
    content: Type.Union([Type.String(), Type.Array(Type.Union([text, image]))]),
    choice: Type.Optional(Type.Union([choice, tool, Type.Partial(choice)])),
  });
  const shown = fieldRows(body).map(({ path, choices }) => [
    path,
    choices?.map(({ label, rows }) => [label, rows.map((row) => row.path)]),
  ]);
  expect(shown).toEqual([
    [
      'content',
      [
        ['type: "text"', ['content[].type', 'content[].text']],
        ['type: "image" or "photo"', ['content[].type', 'content[].url']],
      ],
    ],
    [
      'choice',
      [
        ['with name', ['choice.name']],
        ['with tool', ['choice.tool']],
        ['otherwise', ['choice.name']],
      ],
    ],
  ]);
});
