// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the test is about placeholders
import { expect, test } from 'bun:test';
import { readFile, writeFile } from 'node:fs/promises';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { nodeOf } from '../../base/schema/schema-node.ts';
import { ConfigSchema } from './config-schema.ts';
import { loadConfig } from './load-config.ts';
import { publishedCatalogSchema, publishedSchema } from './published-schema.ts';

const documentation = new URL('../../../docs/', import.meta.url);
const example = new URL('tollgate.example.yaml', documentation);

const compiled = Compile(publishedSchema() as TSchema);
const check = (value: unknown): boolean => compiled.Check(value);

const published: [name: string, schema: object][] = [
  ['tollgate.schema.json', publishedSchema()],
  ['tollgate-catalog.schema.json', publishedCatalogSchema()],
];

for (const [name, schema] of published) {
  test(`docs/${name} is up to date (UPDATE=1 npm test rewrites it)`, async () => {
    const file = new URL(name, documentation);
    if (process.env.UPDATE) await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
    // The texts are compared as values, since the formatter may change the layout.
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(schema);
  });
}

test('the annotated example loads and conforms to the published schema', async () => {
  expect(await loadConfig({ file: example.pathname, environment: {} })).not.toHaveProperty('problems');
  const value: unknown = parse(await readFile(example, 'utf8'));
  expect(check(value)).toBe(true);
});

test('the published schema accepts a placeholder for any value and refuses unknown fields', () => {
  expect(check({ server: { port: '${PORT:-1}', drain_s: '${D}' }, log: { level: '${L}' } })).toBe(true);
  expect(check({ plans: { free: { credits: '${C}', price_usd: null } } })).toBe(true);
  expect(check({ server: { port: 'eighty' } })).toBe(false);
  expect(check({ sever: {} })).toBe(false);
  expect(check({ providers: [{ wire: 'openai-chat' }] })).toBe(false);
});

test('every field has a description', () => {
  const undescribed: string[] = [];
  const visit = (node: ReturnType<typeof nodeOf>, path: string): void => {
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      if (!field.description) undescribed.push(`${path}.${name}`);
      visit(field.items ?? field, `${path}.${name}`);
    }
  };
  visit(nodeOf(ConfigSchema), '');
  expect(undescribed).toEqual([]);
});
