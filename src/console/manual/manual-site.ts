import { posix } from 'node:path';
import { lookUp } from '../../base/lib/records.ts';
import type { Route } from '../../edge/http/route.ts';
import { anchorOf } from '../docs/anchor-of.ts';
import { fieldRows } from '../docs/field-rows.ts';
import type { HtmlPage } from '../docs/html-page.ts';
import { operationOf } from '../docs/operation.ts';
import { htmlPlace } from './html-place.ts';
import { pageTitles } from './listed-pages.ts';
import { INDEX, SCRIPT, STYLE, scriptText, styleText } from './manual-assets.ts';
import { type ManualFrame, manualPage, pageHeaders } from './manual-frame.ts';
import { pageGroups } from './page-groups.ts';
import { type RenderedPage, renderMarkdown } from './render-markdown.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { type SearchedPage, searchIndex } from './search-index.ts';
import { readSource, sourceFiles } from './source-files.ts';

/** The types of files by their extensions. */
const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  svg: 'image/svg+xml',
};

/** Text is shown and not saved: browsers do not show YAML under its own type. */
const typeOf = (place: string): string =>
  `${lookUp(types, posix.extname(place).slice(1)) ?? 'text/plain'}; charset=utf-8`;

const asset = (place: string, text: string): HtmlPage => ({
  text,
  headers: { 'content-type': typeOf(place), 'x-content-type-options': 'nosniff' },
});

/**
 * The documents as a site. Each file is made when it is asked for. The API reference documents `routes`, and
 * is at the address `reference`.
 */
export class ManualSite {
  readonly #frame: ManualFrame;
  readonly #routes: readonly Route[];
  readonly #sources: ReadonlyMap<string, string>;

  /** The files that are no documents, with what makes each of them. */
  readonly #made: Readonly<Record<string, () => string>> = {
    [STYLE]: styleText,
    [SCRIPT]: scriptText,
    [INDEX]: () => searchIndex(this.#searched()),
  };

  constructor({ routes, ...frame }: Omit<ManualFrame, 'groups' | 'titles'> & { routes: readonly Route[] }) {
    this.#sources = new Map(sourceFiles().map(({ source, place }) => [place, source]));
    this.#frame = { ...frame, groups: pageGroups(), titles: pageTitles() };
    this.#routes = routes;
  }

  /** Returns the addresses of all files, from the root of the site. */
  places(): string[] {
    return [
      ...[...this.#sources.keys()].flatMap((place) =>
        place.endsWith('.md') ? [place, htmlPlace(place)] : [place],
      ),
      STYLE,
      SCRIPT,
      INDEX,
    ];
  }

  /** Makes the file at an address; undefined if there is none. */
  file(place: string): HtmlPage | undefined {
    const makePage = lookUp(this.#made, place);
    if (makePage) return asset(place, makePage());
    if (place.endsWith('.html')) {
      const document = place.replace(/\.html$/, '.md');
      if (!this.#sources.has(document)) return undefined;
      return { text: manualPage(document, this.#rendered(document), this.#frame), headers: pageHeaders };
    }
    const source = this.#sources.get(place);
    if (source === undefined) return undefined;
    return asset(place, place.endsWith('.md') ? this.#markdown(place) : readSource(source));
  }

  #markdown(place: string): string {
    const source = this.#sources.get(place)!;
    return rewriteLinks(readSource(source), source);
  }

  #rendered(place: string): RenderedPage {
    return renderMarkdown(this.#markdown(place));
  }

  #searched(): SearchedPage[] {
    const documents = [...this.#sources.keys()].filter((place) => place.endsWith('.md'));
    const pages = documents.map((place) => ({ place: htmlPlace(place), ...this.#rendered(place) }));
    return [...pages, { place: this.#frame.reference, title: 'API reference', sections: this.#endpoints() }];
  }

  #endpoints(): SearchedPage['sections'] {
    return this.#routes.map(operationOf).map((operation) => ({
      anchor: anchorOf(operation),
      heading: `${operation.method} ${operation.path}`,
      text: [
        `${operation.summary}.`,
        ...(operation.body ? fieldRows(operation.body) : []).map(({ path }) => path),
      ].join(' '),
    }));
  }
}
