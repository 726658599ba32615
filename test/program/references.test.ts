import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/base/errors/catalogue.ts';
import { nodeOf, type SchemaNode } from '../../src/base/schema/schema-node.ts';
import { ConfigSchema } from '../../src/settings/config/config-schema.ts';
import { hosts } from '../../src/settings/hosts/hosts.ts';
import { configurationParts } from '../support/references/configuration-reference.ts';
import { withContents } from '../support/references/contents.ts';
import { errorParts } from '../support/references/error-reference.ts';
import { fillGenerated, type GeneratedParts } from '../support/references/fill-generated.ts';
import { priceParts } from '../support/references/price-reference.ts';
import { providerParts } from '../support/references/provider-reference.ts';

const documents = join(import.meta.dir, '..', '..', 'docs');
const read = (name: string): string => readFileSync(join(documents, name), 'utf8');

const references: readonly [name: string, parts: GeneratedParts][] = [
  ['configuration.md', configurationParts],
  ['errors.md', errorParts],
  ['prices.md', priceParts],
  ['providers.md', providerParts],
];

test.each(references)('docs/%s is up to date (UPDATE=1 npm test rewrites it)', (name, parts) => {
  const page = withContents(fillGenerated(read(name), parts));
  if (process.env.UPDATE) writeFileSync(join(documents, name), page);
  expect(read(name)).toBe(page);
});

test('the generated parts of a page and their formats must be the same', () => {
  const page = 'By hand.\n<!-- generated: rows -->\nold\n<!-- /generated -->\n';
  expect(fillGenerated(page, { rows: () => 'new\n' })).toBe(page.replace('old', 'new'));
  expect(() => fillGenerated(page, {})).toThrow('No reference formats the part rows.');
  expect(() => fillGenerated('By hand.\n', { rows: () => 'new\n' })).toThrow(
    'The page has no place for rows.',
  );
});

/** Returns the names of all settings, without their sections. */
const namesOf = (node: SchemaNode): string[] => [
  ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => [name, ...namesOf(field)]),
  ...(node.items ? namesOf(node.items) : []),
  ...(node.anyOf ?? []).flatMap(namesOf),
];

describe('the references', () => {
  test('docs/configuration.md names every setting and describes it', () => {
    const text = read('configuration.md');
    const names = [...new Set(namesOf(nodeOf(ConfigSchema)))];
    expect(names.length).toBeGreaterThan(100);
    // A section is a heading, and every other setting is a row.
    const isNamed = (name: string) =>
      text.includes(`| \`${name}\` |`) || new RegExp(`^###? .*\\b${name}`, 'm').test(text);
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
    expect(text.match(/^\|.*\| {2}\|.*$/gm)).toBeNull();
  });

  test.each([
    ['server', 'port', 'next start'],
    ['server', 'drain_s', 'reload'],
    ['store', 'data_dir', 'next start'],
    ['store', 'min_free_mb', 'reload'],
    ['store', 'max_database_mb', 'reload'],
    ['log', 'level', 'next start'],
    ['providers[]', 'base_url', 'reload'],
  ])('docs/configuration.md says that %s.%s takes effect at the %s', (section, name, when) => {
    const body = read('configuration.md')
      .split(/^###? /m)
      .find((part) => part.startsWith(`${section}\n`));
    expect(body).toMatch(new RegExp(`^\\| \`${name}\` .*\\| ${when} \\|$`, 'm'));
  });

  test('docs/errors.md has a cause and a remedy for every error code', () => {
    const text = read('errors.md');
    for (const code of Object.keys(catalogue))
      expect(text).toMatch(
        new RegExp(
          `^### ${code}\nStatus [\\s\\S]*?\\*\\*Cause\\*\\*: \\S[\\s\\S]*?\\*\\*Remedy\\*\\*: \\S`,
          'm',
        ),
      );
  });

  test('docs/providers.md names every variable of every built-in provider', () => {
    const text = read('providers.md');
    for (const { id, keyVariables, baseUrl, query = {} } of hosts) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${id}\` |`)) ?? '';
      const inAddress = [...`${baseUrl} ${Object.values(query)}`.matchAll(/\{([A-Z0-9_]+)/g)].map(
        ([, name]) => name!,
      );
      for (const name of [...keyVariables, ...inAddress]) expect(row).toContain(`\`${name}\``);
    }
  });
});
