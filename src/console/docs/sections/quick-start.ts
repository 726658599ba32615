import { type ClientSnippet, clientSnippets } from '../client-snippets.ts';
import { type Html, html, prose } from '../html.ts';
import { block, section } from '../section.ts';

const snippet = ({ title, note, parts }: ClientSnippet): Html =>
  html`<div class="sample"><h3>${title}</h3><p>${prose(note)}</p>${parts.map(
    ({ file, code }) => html`${file && html`<p><code>${file}</code></p>`}${block(code)}`,
  )}</div>`;

/** Writes the section of `/docs` with the settings of clients. `catalog` is the address of the models. */
export const quickStartSection = (paths: ReadonlySet<string>, catalog: string): Html =>
  section(
    { id: 'quick-start', title: 'Quick start' },
    html`
<p>${prose('Set the base URL of your client to this server, and use one of your API keys.')}</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>{origin}/v1</code></dd></div>
<div><dt>Model</dt><dd><code>{model}</code> or any other model of <a href="${catalog}">the catalog</a></dd></div>
</dl>
<div class="samples">
${clientSnippets.filter(({ needs }) => paths.has(needs)).map(snippet)}
</div>`,
  );
