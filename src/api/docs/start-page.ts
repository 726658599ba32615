import { isForOperators } from '../../edge/http/is-for-operators.ts';
import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { exampleModel } from './example-model.ts';
import { fillIn } from './fill-in.ts';
import { type Html, html, prose } from './html.ts';
import { type HtmlPage, logo, pageOf } from './page-frame.ts';
import { block } from './section.ts';
import { accountsAndKeys } from './sections/keys.ts';
import { plansOnOffer } from './sections/plans.ts';

const header = (version: string): Html => html`<header class="bar">
<a class="home" href="./" aria-current="page">${logo()}<span>Tollgate</span></a>
<span class="version">${version}</span>
<nav aria-label="Site"><a href="docs">Documentation</a></nav>
</header>`;

const request = `curl {origin}/v1/chat/completions \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{ "model": "{model}", "messages": [{ "role": "user", "content": "Hello!" }] }'`;

const places: readonly [href: string, title: string, description: string][] = [
  ['docs', 'Documentation', 'Quick start, endpoints, errors, limits'],
  ['openapi.json', 'OpenAPI', 'The API description, OpenAPI 3.1'],
  ['v1/models', 'Models', 'The catalog as JSON'],
  ['healthz', 'Health', 'Is the process running?'],
  ['readyz', 'Readiness', 'Can the server take requests?'],
  ['metrics', 'Metrics', 'In the Prometheus text format'],
];

const steps: readonly [says: string, code: string][] = [
  [
    'The first start writes an API key for testing to the `first-key` file of the data directory.',
    'export API_KEY="$(cat data/first-key)"',
  ],
  [
    'Create an account and a key for each user, on this page or with these commands. The commands read the admin token from the data directory.',
    'bin/tollgate account create "Ada" --plan starter\nbin/tollgate key create ACCOUNT --name laptop',
  ],
  [
    'The admin API does the same. Its token is in the `admin-token` file of the data directory.',
    'export ADMIN_TOKEN="$(cat data/admin-token)"\ncurl {origin}/admin/v1/accounts -H "authorization: Bearer $ADMIN_TOKEN"',
  ],
];

/** Says which models are real, if some or all answers are simulated. */
function simulatorNotice({ catalog }: Snapshot): Html | undefined {
  const answering = catalog.entries.filter(isAvailable);
  const simulated = answering.filter(isSimulated).length;
  if (simulated === 0) return undefined;
  return simulated === answering.length ? allSimulated : someSimulated(simulated, answering.length);
}

const someSimulated = (
  simulated: number,
  all: number,
): Html => html`<p class="notice"><strong>Some answers are simulated.</strong>
The configuration assigns ${simulated} of ${all} models to the built-in simulator. <code>GET /v1/models</code> marks them with
<code>"simulated": true</code>. Providers answer for all other models.</p>`;

const allSimulated = html`<p class="notice"><strong>Answers are simulated.</strong> No provider is configured, so the built-in simulator
answers every request, free of charge. Set a provider's key in the environment, for example <code>OPENAI_API_KEY</code>,
or add a provider to the configuration.</p>`;

/** `hasAdmin`: the listener serves the admin API and the metrics. */
export type StartPageParts = { snapshot: Snapshot; version: string; hasAdmin: boolean };

/** The page at `/`: health, a first request, accounts and keys, plans. `{origin}` stays as a placeholder. */
export function startPage({ snapshot, version, hasAdmin }: StartPageParts): HtmlPage {
  const page = pageOf({
    title: 'Tollgate',
    description: 'A self-hosted model gateway: one address and one API key for a catalog of language models.',
    kind: hasAdmin ? 'start' : 'public-start',
    header: header(version),
    body: html`<main id="main" tabindex="-1">
<h1>This is a Tollgate model gateway</h1>
<p class="lead">One address and one API key for a catalog of language models. It works with any OpenAI-compatible client.</p>
<ul class="state" aria-live="polite">
<li><span id="ready-dot" class="dot"></span><strong id="ready">Running</strong></li>
<li><span><strong id="models">${snapshot.catalog.entries.filter(isAvailable).length}</strong> models</span></li>
</ul>
${simulatorNotice(snapshot)}
<section aria-labelledby="call"><h2 id="call">Send a request</h2>
<dl class="facts"><div><dt>Base URL</dt><dd><code>{origin}/v1</code></dd></div></dl>
${block(request)}
</section>
<section aria-labelledby="look"><h2 id="look">Links</h2>
<ul class="links">${places
      .filter(([href]) => hasAdmin || !isForOperators(`/${href}`))
      .map(
        ([href, title, description]) =>
          html`<li><a href="${href}"><strong>${title}</strong><span>${description}</span></a></li>
`,
      )}</ul></section>
${hasAdmin && accountsAndKeys(snapshot.plans)}
${plansOnOffer(snapshot.plans)}
${hasAdmin && administration()}
</main>`,
  });
  return { ...page, text: fillIn(page.text, { model: exampleModel(snapshot) }) };
}

const administration = (): Html => html`<section aria-labelledby="run"><h2 id="run">Administration</h2>
<ol class="steps">${steps.map(
  ([says, code]) => html`<li><p>${prose(says)}</p>${block(code)}</li>
`,
)}</ol>
<p>The <a href="docs#group-admin-accounts">documentation</a> describes every endpoint of the admin API.
<code>bin/tollgate --help</code> lists the commands.</p>
</section>`;
