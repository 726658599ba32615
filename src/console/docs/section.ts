import { type Html, html } from './html.ts';

/** Renders a section of the documentation, with an anchor for the contents list. */
export const section = (
  { id, title, search = true }: { id: string; title: string; search?: boolean },
  body: Html,
): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title"${search && html` data-search`}>
<h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
${body}
</section>
`;

/** Renders a block of code. The tab stop lets the keyboard scroll it. */
export const block = (code: string): Html =>
  html`<div class="block"><pre tabindex="0"><code>${code}</code></pre></div>`;
