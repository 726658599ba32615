import { posix } from 'node:path';
import { type Html, html } from '../docs/html.ts';
import { icon } from '../docs/logo.ts';
import { siteHeader } from '../docs/site-header.ts';
import { htmlPlace } from './html-place.ts';
import { SCRIPT, STYLE } from './manual-assets.ts';
import type { PageGroup } from './page-groups.ts';
import type { RenderedPage } from './render-markdown.ts';

/**
 * Facts of the site that each page shows. `reference` is the address of the API reference from the root of
 * the site.
 */
export type ManualFrame = {
  groups: readonly PageGroup[];
  /** The titles of all pages, by their places. */
  titles: ReadonlyMap<string, string>;
  reference: string;
  version: string;
};

/** Pages load their own style and scripts only. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

const header = ({ reference, version }: ManualFrame, to: (place: string) => string, place: string): Html =>
  siteHeader({
    home: to('index.html'),
    version,
    search: { field: 'site-search', found: 'site-found' },
    links: html`<a href="${to(reference)}">API reference</a>
<a href="${posix.basename(place)}" type="text/markdown">Markdown</a>`,
  });

/** Returns the other pages in the folder of an index, which are shown while one of them is open. */
const siblingPages = (index: string, { titles }: ManualFrame): string[] =>
  [...titles.keys()].filter((page) => page !== index && posix.dirname(page) === posix.dirname(index));

const isIndexOf = (index: string, place: string): boolean =>
  index.endsWith('/index.md') && posix.dirname(index) === posix.dirname(place);

function contents(frame: ManualFrame, to: (place: string) => string, place: string): Html {
  const link = (page: string, title: string): Html =>
    html`<a href="${to(htmlPlace(page))}"${page === place && html` aria-current="page"`}>${title}</a>`;
  const entry = (page: string, title: string): Html => html`<li>${link(page, title)}${
    isIndexOf(page, place) &&
    html`<ul>${siblingPages(page, frame).map((near) => html`<li>${link(near, frame.titles.get(near)!)}</li>`)}</ul>`
  }</li>
`;
  return html`<nav class="contents" aria-label="Pages"><ul>${frame.groups.map(
    ({ title, anchor, pages }) => html`<li><a href="${to('index.html')}#${anchor}">${title}</a>
<ul>${pages.map((page) => entry(page.place, page.title))}</ul></li>
`,
  )}</ul></nav>`;
}

/**
 * Builds the page of a document. All its addresses are relative, so that it works in any folder and from a
 * file.
 */
export function manualPage(place: string, page: RenderedPage, frame: ManualFrame): string {
  const to = (target: string): string => posix.relative(posix.dirname(place), target);
  return html`<!doctype html>
<html lang="en" data-root="${to('.') || '.'}">
<head>
<meta charset="utf-8">
<title>${page.title === 'Documentation' ? 'Tollgate' : `${page.title} · Tollgate`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon()}">
<link rel="stylesheet" href="${to(STYLE)}">
<link rel="alternate" type="text/markdown" href="${posix.basename(place)}">
</head>
<body>
<a class="skip" href="#site-main">Skip to the content</a>
${header(frame, to, place)}
<div class="shell">
${contents(frame, to, place)}
<main id="site-main" tabindex="-1">
<p id="site-found" class="found" role="status"></p>
<ol id="site-results" class="results" aria-label="Results" hidden></ol>
<article class="manual">
${page.body}</article>
</main>
</div>
<script src="${to(SCRIPT)}"></script>
</body>
</html>
`.text;
}
