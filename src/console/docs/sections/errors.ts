import { catalogue, type ErrorCode } from '../../../base/errors/catalogue.ts';
import { type EnvelopeStyle, errorEnvelope, errorStatus, errorType } from '../../../base/errors/envelope.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { keysOf } from '../../../base/lib/records.ts';
import { listed } from '../../../base/schema/describe-value.ts';
import { type Html, html, prose } from '../html.ts';
import { block, section } from '../section.ts';

const codes = keysOf(catalogue);

const retry = (status: number): string => {
  if (status === 429 || status === 503) return 'after retry-after';
  if (status === 408) return 'yes';
  return status >= 500 ? 'with backoff' : 'no';
};

/** Joins the values of the styles. Equal values are written once. */
const joined = (values: readonly (string | number)[]): string => listed([...new Set(values)].map(String));

/** Writes the row of an error code, with its statuses and types in all styles. */
function row(code: ErrorCode, styles: readonly EnvelopeStyle[]): Html {
  const refusal = new Refusal(code);
  const statuses = styles.map((style) => errorStatus(style, refusal));
  const types = styles.map((style) => errorType(style, errorStatus(style, refusal)));
  return html`<tr id="error-${code}" data-search>
<td><span class="status">${joined(statuses)}</span></td>
<th scope="row"><code>${code}</code></th>
<td>${refusal.message}</td>
<td><code>${joined(types)}</code></td>
<td>${retry(refusal.status)}</td></tr>
`;
}

const sample = new Refusal('invalid_request', {
  message: 'temperature must be at most 2, not 3.',
  param: 'temperature',
});

const envelope = (style: EnvelopeStyle): Html => block(JSON.stringify(errorEnvelope(style, sample), null, 2));

/**
 * Writes the section of `/docs` about errors. `styles` lists the envelopes that this server's endpoints use.
 */
export const errorsSection = (styles: readonly EnvelopeStyle[]): Html =>
  section(
    { id: 'errors', title: 'Errors', search: false },
    html`
<p>${prose('Check the status first, then `error.code`. `error.param` is the path of the invalid field. `error.message` describes the problem.')}</p>
${envelope('openai')}
${styles.includes('messages') && html`<p>${prose('Endpoints under `/v1/messages` use this envelope:')}</p>${envelope('messages')}`}
${styles.includes('google') && html`<p>${prose('Endpoints of Gemini and Interactions use this envelope:')}</p>${envelope('google')}`}
<p>${prose('Retry only 408, 429 and 5xx. Wait for the seconds in `retry-after`. Without that header, wait 1, 2, 4, then 8 seconds, with jitter. A stream that fails ends with an error event; treat it like a 5xx.')}</p>
<p>${prose('Invalid HTTP is refused with 400, 431 (headers over 16 KB) or 505, without a body and without these headers. The connection is then closed.')}</p>
<table class="rows errors"><caption>Every error code</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th>
<th scope="col">Type</th><th scope="col">Retry</th></tr></thead>
<tbody>
${codes.map((code) => row(code, styles))}</tbody></table>`,
  );
