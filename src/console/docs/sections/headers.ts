import type { Names } from '../../../base/lib/names.ts';
import { type DocumentedHeader, documentedHeaders } from '../documented-headers.ts';
import { type Html, html, prose } from '../html.ts';
import { section } from '../section.ts';

const when: Record<DocumentedHeader['on'], string> = {
  request: 'request',
  every: 'every answer',
  error: 'errors',
  wait: '429, 503 and 529',
  some: 'some answers',
};

/** Writes the section of `/docs` about headers. */
export const headersSection = (names: Names): Html =>
  section(
    { id: 'headers', title: 'Headers' },
    html`<table class="rows"><caption>Headers of requests and answers</caption>
<thead><tr><th scope="col">Header</th><th scope="col">On</th><th scope="col">Meaning</th></tr></thead>
<tbody>${documentedHeaders(names).map(
      ({ name, on, description }) =>
        html`<tr><th scope="row"><code>${name}</code></th><td>${when[on]}</td><td>${prose(description)}</td></tr>
`,
    )}</tbody></table>`,
  );
