import { describe, expect, test } from 'bun:test';
import { posix } from 'node:path';
import { listedPages } from './listed-pages.ts';
import { ManualSite } from './manual-site.ts';
import { renderMarkdown } from './render-markdown.ts';
import { rewriteLinks } from './rewrite-links.ts';

const site = new ManualSite({ routes: [], reference: '../docs', version: '1.2.3' });
const files = new Map(site.places().map((place) => [place, site.file(place)!]));
const pages = [...files].filter(([place]) => place.endsWith('.html'));
const idsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
const ids = new Map(pages.map(([place, { text }]) => [place, idsOf(text)]));

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to]) => to!).filter((to) => !/^[a-z]+:/.test(to));

describe('the documents as a site', () => {
  test('every link between pages leads to a file and a heading of the site', () => {
    const links = pages.flatMap(([place, { text }]) => addressesIn(text).map((to) => ({ place, to })));
    expect(links.length).toBeGreaterThan(5_000);
    const dead = links.filter(({ place, to }) => {
      const [path = '', anchor] = to.split('#');
      const target = path === '' ? place : posix.join(posix.dirname(place), path);
      if (!files.has(target)) return target !== '../docs';
      return anchor !== undefined && anchor !== '' && !ids.get(target)?.has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('every link in a Markdown form leads to a file of the site', () => {
    const dead = [...files]
      .filter(([place]) => place.endsWith('.md'))
      .flatMap(([place, { text }]) =>
        [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/\]\(([^)\s#]+)/g)]
          .map(([, to]) => to!)
          .filter((to) => !/^[a-z]+:/.test(to))
          .filter((to) => !files.has(posix.join(posix.dirname(place), to)))
          .map((to) => `${place}: ${to}`),
      );
    expect(dead).toEqual([]);
  });

  test('every page has a Markdown form, a title, one h1, unique ids and no resource of another host', () => {
    expect(pages.length).toBeGreaterThan(80);
    for (const [place, { text }] of pages) {
      expect(files.has(place.replace(/html$/, 'md'))).toBe(true);
      expect({ place, count: text.match(/<h1 /g)?.length }).toEqual({ place, count: 1 });
      expect([place, /<title>([^<]+)</.exec(text)?.[1]?.length ?? 0]).not.toEqual([place, 0]);
      expect({ place, count: [...text.matchAll(/ id="([^"]+)"/g)].length }).toEqual({
        place,
        count: ids.get(place)!.size,
      });
      expect(text).not.toMatch(/ src="(?:https?:)?\/\/|<link[^>]+href="(?:https?:)?\/\/|<script>/);
      // The pages of a server replace this word by its address.
      expect({ place, isIncluded: text.includes('{origin}') }).toEqual({ place, isIncluded: false });
    }
  });

  test('every picture can be read on a dark page, which it has as its background', () => {
    const pictures = [...files].filter(([place]) => place.endsWith('.svg'));
    expect(pictures.length).toBeGreaterThan(5);
    for (const [place, { text }] of pictures)
      expect({
        place,
        matches: /@media \(prefers-color-scheme: dark\) \{\s+text \{ fill: #/.test(text),
      }).toEqual({ place, matches: true });
    expect(files.get('manual.css')!.text).not.toMatch(/img \{[^}]*background/);
  });

  test('the list for language models names every page once', () => {
    const listed = listedPages().map(({ place }) => place);
    const documents = [...files.keys()].filter((place) => place.endsWith('.md'));
    expect(listed.toSorted()).toEqual(documents.toSorted());
  });

  test('a place outside of the site has no file', () => {
    for (const place of ['../package.json', 'nothing.html', 'README.html', 'benchmarks/results.json', ''])
      expect({ place, result: site.file(place) }).toEqual({ place, result: undefined });
  });
});

test('links of a document are rewritten outside of code only', () => {
  const text =
    'See [a](../README.md#run), [b](https://c.d/README.md) and `[c](../README.md)`.\n\n```sh\n[d](../README.md)\n```\n';
  expect(rewriteLinks(text, 'docs/operations/backup.md')).toBe(
    text.replace('../README.md#run', '../index.md#run'),
  );
  expect(rewriteLinks('[a](docs/cli.md) [b](LICENSE) [c](unknown.txt)', 'README.md')).toBe(
    '[a](cli.md) [b](license.txt) [c](unknown.txt)',
  );
});

test('a document is rendered with the anchors of GitHub, with escaped text and without comments', () => {
  const { title, body, sections } = renderMarkdown(
    '# A `b.c` & d\n\n<!-- note -->\nText <script>x</script>.\n\n## Same\n\n| a | |\n| - | -: |\n| `x\\|y` | [l](b.md#c) |\n\n## Same\n\n```sh run\necho "<1"\n```\n',
  );
  expect(title).toBe('A b.c & d');
  expect(body.text).toContain('<h1 id="a-bc--d">A <code>b.c</code> &amp; d</h1>');
  expect(body.text).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(body.text).not.toContain('note');
  expect(body.text).toContain('<td class="right"><a href="b.html#c">l</a></td>');
  expect(body.text).toContain('<code>echo &quot;&lt;1&quot;\n</code>');
  expect(sections.map(({ anchor, text }) => [anchor, text])).toEqual([
    ['a-bc--d', 'Text <script>x</script>.'],
    ['same', 'a x|y l'],
    ['same-1', 'echo "<1"'],
  ]);
});
