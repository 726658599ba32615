import type { Route } from '../../edge/http/route.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { type DocsAddresses, onServer } from './docs-addresses.ts';
import { docsContents } from './docs-contents.ts';
import { closingSections, type DocsFacts, openingSections, type Section } from './docs-sections.ts';
import { exampleModels } from './example-models.ts';
import { fillIn } from './fill-in.ts';
import { type Html, html } from './html.ts';
import { htmlPage } from './html-page.ts';
import { operationOf } from './operation.ts';
import { endpointSections } from './sections/endpoints.ts';
import { guideSections } from './sections/guides.ts';
import type { ServedPage } from './served-page.ts';
import { siteHeader } from './site-header.ts';

/** The values of examples while no model can answer. */
const USUAL_CONTEXT = 131_072;
const USUAL_OUTPUT = 32_768;

/** Builds `/docs` from the route table and the configuration. `{origin}` stays as a placeholder. */
export function docsPage(page: {
  routes: readonly Route[];
  snapshot: Snapshot;
  version: string;
  addresses?: DocsAddresses;
}): ServedPage {
  const { routes, snapshot, version, addresses = onServer } = page;
  const operations = routes.map(operationOf);
  const paths = new Set(operations.map(({ path }) => path));
  const facts = { operations, paths, snapshot, catalog: addresses.catalog };
  const framed = htmlPage({
    title: 'Tollgate API',
    description: 'How to use this model gateway: endpoints, authentication, errors and limits.',
    header: siteHeader({
      home: addresses.home,
      version,
      search: { field: 'search', found: 'found' },
      links: html`<a href="${addresses.guides}">Guides</a> <a href="openapi.json">OpenAPI</a>`,
    }),
    sendsRequests: addresses.sendsRequests,
    body: html`<div class="shell">
${docsContents(operations)}
<main id="main" tabindex="-1">
<h1>API documentation</h1>
<p class="lead">Every endpoint of this server, generated from its route table.</p>
<p id="found" class="found" role="status"></p>
${renderAll(openingSections, facts)}${guideSections(paths)}
${endpointSections(operations, addresses.sendsRequests)}
${renderAll(closingSections, facts)}</main>
</div>`,
  });
  const chat = exampleEntry(snapshot)?.model;
  const examples = {
    ...exampleModels(snapshot),
    context: String(chat?.contextWindow ?? USUAL_CONTEXT),
    output: String(chat?.maxOutput ?? USUAL_OUTPUT),
  };
  return { ...framed, text: fillIn(framed.text, { brand: snapshot.names.brand, ...examples }) };
}

const renderAll = (sections: readonly Section[], facts: DocsFacts): Html[] =>
  sections.map(
    ({ render }) => html`${render(facts)}
`,
  );
