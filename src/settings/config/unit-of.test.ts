import { expect, test } from 'bun:test';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { ConfigSchema } from './config-schema.ts';
import { problemsOf } from './testing/config-of.ts';
import { unitOf } from './unit-of.ts';

/** Lists the paths of all numbers of a schema. */
function numbersOf(node: SchemaNode, path: string): string[] {
  const inside = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.items ? [node.items] : [])];
  const fields = { ...node.properties, ...node.patternProperties };
  return [
    ...(node.type === 'number' || node.type === 'integer' ? [path] : []),
    ...inside.flatMap((branch) => numbersOf(branch, path)),
    ...Object.entries(fields).flatMap(([name, field]) => numbersOf(field, `${path}.${name}`)),
  ];
}

test('every number of the configuration has a unit', () => {
  const all = numbersOf(nodeOf(ConfigSchema), 'config');
  expect(all.length).toBeGreaterThan(90);
  expect(all.filter((path) => unitOf(path.slice(path.lastIndexOf('.') + 1)) === undefined)).toEqual([]);
});

test('the error of a number names its unit, even if the value is no number', () => {
  expect(
    problemsOf('server: { idle_timeout_s: 500, drain_s: soon }\nlimits: { max_answer_mb: 0.5 }\n'),
  ).toEqual([
    'tollgate.yaml:1:11 server.idle_timeout_s: must be at most 240, not 500; the unit is seconds.',
    'tollgate.yaml:1:32 server.drain_s: must be a number, not a string; the unit is seconds.',
    'tollgate.yaml:2:11 limits.max_answer_mb: must be an integer, not 0.5; the unit is MB.',
  ]);
  expect(problemsOf('', { PORT: '70000' })).toEqual([
    'PORT: must be at most 65535, not 70000; the number is a TCP port.',
  ]);
  expect(problemsOf('server: { host: 5 }\n')).toEqual([
    'tollgate.yaml:1:11 server.host: must be a string, not a number.',
  ]);
});
