import { posix } from 'node:path';
import { lookUp } from '../../base/lib/records.ts';
import type { Route } from '../../edge/http/route.ts';
import { anchorOf } from '../docs/anchor-of.ts';
import { fieldRows } from '../docs/field-rows.ts';
import { operationOf } from '../docs/operation.ts';
import type { ServedPage } from '../docs/served-page.ts';
import { htmlPlace } from './html-place.ts';
import { INDEX, SCRIPT, STYLE, scriptText, styleText } from './manual-assets.ts';
import { type ManualFrame, manualPage, pageHeaders } from './manual-page.ts';
import { pageGroups } from './page-groups.ts';
import { pageTitles } from './page-titles.ts';
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

const asset = (place: string, text: string): ServedPage => ({
  text,
  headers: { 'content-type': typeOf(place), 'x-content-type-options': 'nosniff' },
});

/** `routes`: those of the API reference, which is at the address `reference` from the root of the site. */
export type ManualSiteParts = { routes: readonly Route[]; reference: string; version: string };

/** The documents as a site. Each file is made when it is asked for. */
export class ManualSite {
  readonly #frame: ManualFrame;
  readonly #routes: readonly Route[];
  readonly #sources: ReadonlyMap<string, string>;

  /** The makers of the files that are not documents. */
  readonly #makers: Readonly<Record<string, () => string>> = {
    [STYLE]: styleText,
    [SCRIPT]: scriptText,
    [INDEX]: () => searchIndex(this.#searchedPages()),
  };

  constructor({ routes, reference, version }: ManualSiteParts) {
    this.#sources = new Map(sourceFiles().map(({ source, place }) => [place, source]));
    this.#frame = { groups: pageGroups(), titles: pageTitles(), reference, version };
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

  /** Makes the file at an address. Undefined if there is none. */
  file(place: string): ServedPage | undefined {
    const makeText = lookUp(this.#makers, place);
    if (makeText) return asset(place, makeText());
    if (place.endsWith('.html')) {
      const document = place.replace(/\.html$/, '.md');
      if (!this.#sources.has(document)) return undefined;
      return { text: manualPage(document, this.#renderPage(document), this.#frame), headers: pageHeaders };
    }
    const source = this.#sources.get(place);
    if (source === undefined) return undefined;
    return asset(place, place.endsWith('.md') ? this.#readMarkdown(place) : readSource(source));
  }

  #readMarkdown(place: string): string {
    const source = this.#sources.get(place)!;
    return rewriteLinks(readSource(source), source);
  }

  #renderPage(place: string): RenderedPage {
    return renderMarkdown(this.#readMarkdown(place));
  }

  #searchedPages(): SearchedPage[] {
    const documents = [...this.#sources.keys()].filter((place) => place.endsWith('.md'));
    const pages = documents.map((place) => ({ place: htmlPlace(place), ...this.#renderPage(place) }));
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
