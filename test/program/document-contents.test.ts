import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { headingAnchor } from '../../src/console/manual/heading-anchor.ts';
import { readDocuments } from '../support/documented-commands.ts';
import { headingsOf, withContents } from '../support/references/contents.ts';

const root = join(import.meta.dir, '..', '..');
const documents = readDocuments(root);

const LINES = Array.from({ length: 160 }, () => 'text').join('\n');

test('a list of sections names each section of a long page, and a short page has none', () => {
  const page = `# A page\nFor readers.\n\n## Why it's so\n${LINES}\n\n\`\`\`sh\n## no heading\n\`\`\`\n\n## \`b.c[]\`\n`;
  const listed = withContents(page);
  expect(listed).toStartWith(
    "# A page\nFor readers.\n\n<!-- contents -->\n- [Why it's so](#why-its-so)\n- [`b.c[]`](#bc)\n<!-- /contents -->\n\n## Why",
  );
  expect(withContents(listed)).toBe(listed);
  expect(withContents(listed.replace(LINES, ''))).toBe(page.replace(LINES, ''));
});

test('every long document begins with a list of its sections (UPDATE=1 npm test rewrites it)', () => {
  const pages = documents.filter(({ path }) => path !== 'CHANGELOG.md');
  if (process.env.UPDATE)
    for (const { path, text } of pages)
      if (withContents(text) !== text) writeFileSync(join(root, path), withContents(text));
  const stale = pages.filter(({ path }) => {
    const text = readFileSync(join(root, path), 'utf8');
    return withContents(text) !== text;
  });
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test('every link to a section of a document leads to a heading', () => {
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (path: string): Set<string> => {
    const known = anchors.get(path);
    if (known !== undefined) return known;
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    const found = new Set(headingsOf(text).map(({ heading }) => headingAnchor(heading)));
    anchors.set(path, found);
    return found;
  };
  const links = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s#:]*\.md)?#([^)\s]+)\)/g)].map(([, to, anchor]) => ({
      path,
      to: to === undefined ? path : normalize(join(dirname(path), to)),
      anchor: anchor!,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(({ to, anchor }) => !anchorsOf(to).has(anchor));
  expect(dead.map(({ path, to, anchor }) => `${path} → ${to}#${anchor}`)).toEqual([]);
});
