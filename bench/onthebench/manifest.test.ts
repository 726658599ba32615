import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { formatBuild } from './format-build.ts';
import { formatDefinition, MODEL } from './format-definition.ts';
import { renderTemplate } from './render-template.ts';

const subject = { repository: 'https://example.com/tollgate', ref: 'v1.2.3', key: 'key-1' };
const folder = join(import.meta.dir, 'tollgate');
const template = readFileSync(join(folder, 'config.gen.yaml.tmpl'), 'utf8');

test('the configuration has a model for each egress that the definition names', () => {
  const definition = JSON.parse(formatDefinition(subject));
  const configuration = parse(renderTemplate(template, { MOCK_PORT: '9000', GW_MODEL: MODEL }));
  const ids = configuration.catalog.models.map(({ id }: { id: string }) => id);
  expect(Object.values(definition.egress_models).sort()).toEqual(ids.sort());
  expect(Object.keys(definition.egress_models)).toEqual(definition.egress);
  expect(configuration.providers[0].base_url).toBe('http://127.0.0.1:9000/v1');
  expect(definition.auth).toBe('key-1');
});

test('the matrix has a row for each API of clients, with each wire but that of Cohere', () => {
  expect(JSON.parse(formatDefinition(subject)).matrix).toEqual([
    '111101',
    '111101',
    '111101',
    '111101',
    '000000',
    '000000',
  ]);
});

test('every setting of the configuration has a reason', () => {
  const reasons = readFileSync(join(folder, 'why'), 'utf8').split('\n');
  const configuration = parse(renderTemplate(template, { MOCK_PORT: '9000', GW_MODEL: MODEL }));
  for (const setting of Object.keys(configuration))
    expect(reasons.filter((line) => line.startsWith(`${setting} `))).toHaveLength(1);
});

test('refuses a placeholder that the benchmark does not fill in, and keeps doubled braces', () => {
  expect(renderTemplate('a: {{ b: {GW_MODEL} }}', { GW_MODEL: 'm' })).toBe('a: { b: m }');
  expect(() => renderTemplate('{TYPO}', {})).toThrow('{TYPO}');
});

test('the build clones the repository at the tag', () => {
  expect(formatBuild(subject)).toContain("--branch 'v1.2.3' 'https://example.com/tollgate' checkout");
});
