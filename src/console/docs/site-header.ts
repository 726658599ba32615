import { type Html, html } from './html.ts';
import { logo } from './logo.ts';

/** The texts and addresses in which the headers of pages differ. */
export type SiteHeader = {
  home: string;
  version: string;
  /** The ids of the search field and of the text that counts its results. */
  search: { field: string; found: string };
  links: Html;
};

/** Writes the bar above a page of the documentation. */
export const siteHeader = ({ home, version, search, links }: SiteHeader): Html => html`<header class="bar">
<a class="home" href="${home}">${logo()}<span>Tollgate</span></a>
<span class="version">${version}</span>
<form role="search"><label class="hidden" for="${search.field}">Search the documentation</label>
<input id="${search.field}" type="search" placeholder="Search" autocomplete="off" spellcheck="false"
 aria-describedby="${search.found}"><kbd aria-hidden="true">/</kbd></form>
<nav aria-label="Site">${links}</nav>
</header>`;
