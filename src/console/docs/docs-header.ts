import type { DocsAddresses } from './docs-addresses.ts';
import { type Html, html } from './html.ts';
import { logo } from './page-frame.ts';

/** The bar above the page. */
export const docsHeader = (
  version: string,
  { home, guides }: DocsAddresses,
): Html => html`<header class="bar">
<a class="home" href="${home}">${logo()}<span>Tollgate</span></a>
<span class="version">${version}</span>
<form role="search"><label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"
 aria-describedby="found"><kbd aria-hidden="true">/</kbd></form>
<nav aria-label="Site"><a href="${guides}">Guides</a> <a href="openapi.json">OpenAPI</a></nav>
</header>`;
