import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { platforms } from '../../scripts/release/platforms.ts';
import { nodeOf, type SchemaNode } from '../../src/base/schema/schema-node.ts';
import { commands } from '../../src/program/cli/commands.ts';
import { ConfigSchema } from '../../src/settings/config/config-schema.ts';
import { hosts } from '../../src/settings/hosts/hosts.ts';
import { startServer } from '../support/start-server.ts';

const root = join(import.meta.dir, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/others.md');
const server = await startServer();
afterAll(server.stop);

/** Returns the rows of the first table of a section. */
const rowsOf = (text: string, heading: string): string[][] =>
  text
    .split(`## ${heading}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

const settingsOf = (node: SchemaNode): string[] => [
  ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => [name, ...settingsOf(field)]),
  ...(node.items ? settingsOf(node.items) : []),
  ...(node.anyOf ?? []).flatMap(settingsOf),
];
const settings = settingsOf(nodeOf(ConfigSchema));

const noSetting = (pattern: RegExp) => (): void =>
  expect(settings.filter((name) => pattern.test(name))).toEqual([]);
const noRoute =
  (...paths: string[]) =>
  async (): Promise<void> => {
    for (const path of paths)
      for (const method of ['GET', 'POST']) {
        const { status } = await server.call(path, { method, ...(method === 'POST' && { body: {} }) });
        expect({ method, path, status }).toEqual({ method, path, status: 404 });
      }
  };

/**
 * The checks that each feature that the page calls missing is missing. A feature that is built fails its row,
 * and the page is then untrue.
 */
const lacks: Readonly<Record<string, () => void | Promise<void>>> = {
  'Cache of equal requests': noSetting(/^(?:response_)?cache(?:_s|_mb)?$/),
  'Cache of similar requests (semantic)': noSetting(/semantic_cache|similarity/),
  'Guardrails and filters for personal data': noSetting(/guardrail|pii|filter/),
  'MCP gateway': noRoute('/mcp', '/v1/mcp'),
  'Realtime sound over WebSockets or WebRTC': noRoute('/v1/realtime', '/v1/realtime/sessions'),
  Videos: noRoute('/v1/videos'),
  'Uploaded files, and batches of uploaded files': noRoute('/v1/files'),
  'Chosen strategies of routing, for example by price or by a condition': noSetting(
    /strategy|condition_of_route|sort_by/,
  ),
  'Copies of live traffic to a second model': noSetting(/mirror|shadow/),
  'Experiments and evaluations': noSetting(/experiment|variant|evaluation/),
  'Secret managers such as Vault': noSetting(/vault|secret_manager/),
  'SAML, SCIM and LDAP': noSetting(/saml|scim|ldap/),
  'A Terraform provider': () => expect(existsSync(join(root, 'deploy', 'terraform'))).toBe(false),
  'Plug-ins and code of your own in the way of a request': noSetting(/plugin|(?<!web)hook|^script/),
  "A limit for an agent's session": () => {
    const { options } = commands.find(({ name }) => name === 'budget create')!;
    expect(options?.['scope']?.choices).toEqual(['organization', 'key', 'member', 'end_user', 'tag']);
  },
  'A cheaper model when a budget ends': noSetting(/downgrade_model|on_exhaust|step_down/),
  'Programs for Windows': () => expect(JSON.stringify(platforms)).not.toMatch(/win32|windows/),
  'Many built-in providers': () => expect(page).toContain(`| ${hosts.length} built-in providers`),
  'A small process': () => {
    const idle = rowsOf(read('docs/benchmarks.md'), 'Memory').map(
      ([system, megabytes]) => [system!, Number(megabytes)] as const,
    );
    const own = idle.find(([system]) => system === 'Tollgate')![1];
    expect(page).toContain(`| ${own} MB before the first request`);
    const smaller = idle.filter(([, megabytes]) => megabytes < own).map(([system]) => system.split(' ')[0]);
    expect(smaller.toSorted()).toEqual(['Portkey', 'crabllm', 'haproxy']);
  },
};

describe('what the page calls missing is missing', () => {
  const named = rowsOf(page, 'What Tollgate does not have').map(([feature]) => feature!);
  test('every row has a check', () => expect(named).toEqual(Object.keys(lacks)));
  test.each(Object.entries(lacks))('%s', (_, check) => check());
  test('the version is below 1.0.0', () => expect(packageFile.version).toStartWith('0.'));
});

test('the figures are those of the benchmarks', () => {
  const benchmarks = read('docs/benchmarks.md');
  const median = (cell = ''): string => cell.split(' (')[0]!;
  const memory = new Map(rowsOf(benchmarks, 'Memory').map(([system, , underLoad]) => [system, underLoad]));
  const measured = rowsOf(benchmarks, 'Cost and latency of a request').map(
    ([system, cpu, , agent, p50, p99]) => [system, ...[cpu, agent, p50, p99].map(median), memory.get(system)],
  );
  expect(rowsOf(page, 'Measured')).toEqual(measured as string[][]);
  const own = rowsOf(benchmarks, 'Cost and latency of a request').find(([system]) => system === 'Tollgate')!;
  expect(page).toContain(`Tollgate needs ${median(own[2])} times its CPU time`);
  const streams = new Map(
    rowsOf(benchmarks, 'Streams').map(([system, first, cpu]) => [
      system!.split(' ')[0],
      [first, cpu].map((cell) => Number(median(cell).replace(',', ''))),
    ]),
  );
  for (const place of [0, 1])
    expect(streams.get('crabllm')![place]!).toBeLessThan(streams.get('Tollgate')![place]!);
});
