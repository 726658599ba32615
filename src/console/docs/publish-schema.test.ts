import { describe, expect, test } from 'bun:test';
import { Type } from '../../base/schema/type.ts';
import { publishSchema } from './publish-schema.ts';
import { SchemaComponents } from './schema-components.ts';

const kind = (type: string, fields = {}) => Type.Object({ type: Type.Literal(type), ...fields });
const published = (parts: ReturnType<typeof Type.Union>) => {
  const components = new SchemaComponents();
  publishSchema(Type.Object({ parts: Type.Array(parts) }, { title: 'A Request' }), components);
  return components.toObject();
};

describe('a union of objects', () => {
  test('names its branches after the member that distinguishes them', () => {
    const { ARequest, APartText, APartImage } = published(Type.Union([kind('text'), kind('image')]));
    expect(ARequest).toMatchObject({
      properties: {
        parts: {
          items: {
            anyOf: [{ $ref: '#/components/schemas/APartText' }, { $ref: '#/components/schemas/APartImage' }],
            discriminator: {
              propertyName: 'type',
              mapping: {
                text: '#/components/schemas/APartText',
                image: '#/components/schemas/APartImage',
              },
            },
          },
        },
      },
    });
    expect(APartText).toMatchObject({ type: 'object' });
    expect(APartImage).toMatchObject({ type: 'object' });
  });

  test('has no discriminator if two branches share a value, or if one is open', () => {
    for (const other of [kind('text', { id: Type.String() }), Type.Object({ type: Type.String() })])
      expect(Object.keys(published(Type.Union([kind('text'), other])))).toEqual(['ARequest']);
  });

  test('gives different schemas different names', () => {
    const nested = (one: string) => kind(one, { parts: Type.Union([kind('text'), kind(one)]) });
    const names = Object.keys(published(Type.Union([nested('sound'), nested('image')])));
    expect(new Set(names).size).toBe(names.length);
    // The union, its two branches, and the two parts of each branch.
    expect(names).toHaveLength(1 + 2 + 2 * 2);
  });
});
