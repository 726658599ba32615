import { type Html, html } from './html.ts';

/** A part of the documentation that the contents list and the search know. */
export const section = (
  { id, title, search = true }: { id: string; title: string; search?: boolean },
  body: Html,
): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title"${search && html` data-search`}>
<h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
${body}
</section>
`;

/** Code with the means to scroll it by keyboard. */
export const block = (code: string): Html =>
  html`<div class="block"><pre tabindex="0"><code>${code}</code></pre></div>`;
