import { CATALOG_CACHE_SECONDS } from '../../../api/models/model-routes.ts';
import { MAX_BODY_BYTES } from '../../../base/json/body-sizes.ts';
import { type Plan, READS_PER_REQUEST } from '../../../settings/plans/plan.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import { type Html, html } from '../html.ts';
import { section } from '../section.ts';

const number = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en-US'));
const price = (value: number | null): string => (value === null ? '–' : `$${number(value)}`);

const columns: readonly [string, (plan: Plan) => string][] = [
  ['Per month', ({ priceUsd }) => price(priceUsd)],
  ['Credits', ({ credits }) => number(credits)],
  ['Requests / min', ({ requestsPerMinute }) => number(requestsPerMinute)],
  ['Reads / min', ({ requestsPerMinute }) => number(requestsPerMinute * READS_PER_REQUEST)],
  ['Concurrent requests', ({ concurrent }) => number(concurrent)],
  ['Tokens / min', ({ tokensPerMinute }) => number(tokensPerMinute)],
];

const facts = ({ config }: Snapshot): readonly [string, string][] => [
  ['Maximum request body', `${MAX_BODY_BYTES / 1024 / 1024} MB after decompression`],
  ['Timeout for a request body', `${number(config.server.body_timeout_s)} seconds`],
  ['Timeout for request headers', `${number(config.server.header_timeout_s)} seconds`],
  ['Idle timeout of a connection', `${number(config.server.idle_timeout_s)} seconds`],
  ['Catalog', `Clients can cache it for ${number(CATALOG_CACHE_SECONDS)} seconds`],
];

/** Writes the section of `/docs` about limits, with the values of this server's configuration. */
export const limitsSection = (snapshot: Snapshot): Html =>
  section(
    { id: 'limits', title: 'Limits' },
    html`<dl class="facts">${facts(snapshot).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<div class="scroll" role="region" aria-labelledby="plans-caption" tabindex="0">
<table class="figures"><caption id="plans-caption">Plans, as configured on this server</caption>
<thead><tr><th scope="col">Plan</th>${columns.map(([title]) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${Object.values(snapshot.plans).map(
      (plan) =>
        html`<tr><th scope="row">${plan.displayName}</th>${columns.map(([, cell]) => html`<td>${cell(plan)}</td>`)}</tr>
`,
    )}</tbody></table></div>`,
  );
