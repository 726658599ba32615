import { afterAll, describe, expect, test } from 'bun:test';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { readDefaultCatalog } from '../../src/settings/catalog/read-default-catalog.ts';
import { startServer } from '../support/start-server.ts';

type Block = { language: string; mark: string; body: string };
type Page = { install: string; check: string; files: { path: string; body: string }[] };
type Row = { id: string; page: string; section?: string; tool: string };

const root = join(import.meta.dir, '..', '..');
const folder = join(root, 'docs', 'clients');
const script = (name: string) => import(join(root, 'scripts', 'clients', name));
const { blocksOf, readPage } = (await script('read-page.mjs')) as {
  blocksOf: (text: string) => Block[];
  readPage: (path: string, section?: string) => Page;
};
const { clients, unrunPages, tools } = (await script('clients-table.mjs')) as {
  clients: Row[];
  unrunPages: string[];
  tools: Record<string, unknown>;
};

const names = readdirSync(folder)
  .filter((name) => name !== 'README.md' && name !== 'tested.md')
  .map((name) => name.replace(/\.md$/, ''));
const read = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8');
const pageOf = ({ page, section }: Row): Page => readPage(join(folder, `${page}.md`), section);

/**
 * Parsers of the languages that this test can read. The compilers of the others run with `npm run clients`.
 */
const parsers: Record<string, (text: string) => unknown> = {
  js: (text) => new Bun.Transpiler({ loader: 'js' }).transformSync(text),
  json: JSON.parse,
  toml: Bun.TOML.parse,
  yaml: (text) => parse(text, { strict: true }),
};
const COMPILED = new Set(['python', 'go', 'rust', 'java', 'xml']);
const SHELL = 'sh';

test('each page of a client is linked, and its snippets are run by npm run clients or only parsed', () => {
  const index = read('README');
  expect(names.filter((name) => !index.includes(`(${name}.md)`))).toEqual([]);
  expect([...new Set([...clients.map(({ page }) => page), ...unrunPages])].sort()).toEqual(names.sort());
  expect(clients.filter(({ tool }) => !Object.hasOwn(tools, tool))).toEqual([]);
});

test.each(
  clients.map((row) => [row.id, row] as const),
)('%s can be installed and checked by its page', (_, row) => {
  const { install, check, files } = pageOf(row);
  expect(install === '' ? files.map(({ path }) => path) : install).not.toEqual([]);
  expect(check).not.toBe('');
  const called = [check, ...files.map(({ body }) => body)].join('\n');
  expect(called).toContain('http://127.0.0.1:8080');
  expect(called).toContain('TOLLGATE_KEY');
});

test.each(names)('the snippets of docs/clients/%s.md are valid', (name) => {
  for (const { language, body } of blocksOf(read(name))) {
    if (language === SHELL || COMPILED.has(language)) continue;
    expect(Object.keys(parsers)).toContain(language);
    expect(() => parsers[language]!(body)).not.toThrow();
  }
});

test('the pages name only models of the default catalog', () => {
  const { models } = readDefaultCatalog();
  const known = new Set(models.map(({ id }) => id));
  const used = names.flatMap((name) =>
    [...read(name).matchAll(/@svc\/[\w.-]+\w/g)].map(([id]) => `${name} ${id}`),
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((use) => !known.has(use.split(' ')[1]!))).toEqual([]);
});

describe('the JavaScript snippets of the installed clients work as they stand', async () => {
  const server = await startServer();
  const work = mkdtempSync(join(tmpdir(), 'tollgate-pages-'));
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  afterAll(async () => {
    await server.stop();
    rmSync(work, { recursive: true });
  });

  const installed = clients.filter(({ id }) =>
    ['openai-javascript', 'anthropic-javascript', 'ai-sdk'].includes(id),
  );
  test.each(installed.map((row) => [row.id, row] as const))('%s', async (id, row) => {
    const { files, check } = pageOf(row);
    const place = join(work, id);
    for (const { path, body } of files) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), body.replaceAll('http://127.0.0.1:8080', server.url));
    }
    const child = Bun.spawn(['bash', '-euc', check], {
      cwd: place,
      env: { PATH: process.env.PATH ?? '', TOLLGATE_KEY: server.firstKey },
      stderr: 'pipe',
    });
    const [output, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ code: await child.exited, errors }).toEqual({ code: 0, errors: '' });
    // Each request of the snippet prints its answer.
    const requests =
      files
        .map(({ body }) => body)
        .join('')
        .match(/\.create\(|\.stream\(|(?:generate|stream)Text\(/g) ?? [];
    expect(output.match(/\[simulated\]/g)?.length ?? 0).toBeGreaterThanOrEqual(requests.length);
  });
});
