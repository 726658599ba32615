import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Route } from '../../edge/http/route.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { anchorOf } from './anchor.ts';
import { exampleModels } from './example-models.ts';
import { fillIn } from './fill-in.ts';
import { guides } from './guides.ts';
import { type Html, html } from './html.ts';
import { groupsOf, type Operation, operationOf } from './operation.ts';
import { type HtmlPage, logo, pageOf } from './page-frame.ts';
import { authentication } from './sections/authentication.ts';
import { credits } from './sections/credits.ts';
import { endpoints } from './sections/endpoints.ts';
import { errorSection } from './sections/errors.ts';
import { guideSections } from './sections/guides.ts';
import { headerSection } from './sections/headers.ts';
import { limits } from './sections/limits.ts';
import { quickStart } from './sections/quick-start.ts';

type DocsFacts = {
  operations: readonly Operation[];
  /** The paths of all operations. */
  paths: ReadonlySet<string>;
  snapshot: Snapshot;
  /** The address of the list of models. */
  catalog: string;
};

/** A section of the page, with its entry of the contents. */
type Section = { id: string; title: string; render: (facts: DocsFacts) => Html };

/** The sections before the guides and the endpoints. */
const opening: readonly Section[] = [
  { id: 'quick-start', title: 'Quick start', render: ({ paths, catalog }) => quickStart(paths, catalog) },
  {
    id: 'authentication',
    title: 'Authentication',
    render: ({ operations, snapshot }) => authentication(operations, snapshot.names),
  },
];

/** The sections after the endpoints. */
const closing: readonly Section[] = [
  { id: 'credits', title: 'Credits', render: ({ snapshot }) => credits(snapshot) },
  { id: 'headers', title: 'Headers', render: ({ snapshot }) => headerSection(snapshot.names) },
  { id: 'errors', title: 'Errors', render: ({ operations }) => errorSection(stylesOf(operations)) },
  { id: 'limits', title: 'Limits', render: ({ snapshot }) => limits(snapshot) },
];

/** The styles of errors. The reverse order of their names puts OpenAI's first. */
const stylesOf = (operations: readonly Operation[]): EnvelopeStyle[] =>
  [...new Set(operations.map(({ style }) => style))].sort().reverse();

/** In examples, while no model can answer. */
const USUAL_CONTEXT = 131_072;
const USUAL_OUTPUT = 32_768;

/** The addresses that the page names. Outside of a server it has no form that sends requests. */
type Around = { home: string; guides: string; catalog: string; sendsRequests: boolean };

const onServer: Around = {
  home: './',
  guides: 'docs/index.html',
  catalog: 'v1/models',
  sendsRequests: true,
};

/** The page as a file of a site. */
export const asFile: Around = {
  home: 'index.html',
  guides: 'index.html',
  catalog: '{origin}/v1/models',
  sendsRequests: false,
};

const header = (version: string, { home, guides: pages }: Around): Html => html`<header class="bar">
<a class="home" href="${home}">${logo()}<span>Tollgate</span></a>
<span class="version">${version}</span>
<form role="search"><label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"
 aria-describedby="found"><kbd aria-hidden="true">/</kbd></form>
<nav aria-label="Site"><a href="${pages}">Guides</a> <a href="openapi.json">OpenAPI</a></nav>
</header>`;

const link = ({
  id,
  title,
}: {
  id: string;
  title: string;
}): Html => html`<li><a href="#${id}">${title}</a></li>
`;

function contents(operations: readonly Operation[]): Html {
  const groups = [...groupsOf(operations)].map(
    ([group, members]) => html`<li><a href="#${anchorOf({ group })}">${group}</a>
<ul>${members.map(
      (one) =>
        html`<li><a href="#${anchorOf(one)}"><span class="method ${one.method.toLowerCase()}">${one.method}</span>
<span class="path">${shortPath(one.path)}</span></a></li>
`,
    )}</ul></li>
`,
  );
  return html`<nav class="contents" aria-label="Contents"><ul>${opening.map(link)}${guides.map(link)}${groups}${closing.map(link)}</ul></nav>`;
}

const shortPath = (path: string): string => path.replace(/^(\/admin)?\/v1(?=\/)/, '');

/** Builds `/docs` from the route table and the configuration. `{origin}` stays as a placeholder. */
export function docsPage(facts: {
  routes: readonly Route[];
  snapshot: Snapshot;
  version: string;
  around?: Around;
}): HtmlPage {
  const { routes, snapshot, version, around = onServer } = facts;
  const operations = routes.map(operationOf);
  const paths = new Set(operations.map(({ path }) => path));
  const sections = { operations, paths, snapshot, catalog: around.catalog };
  const page = pageOf({
    title: 'Tollgate API',
    description: 'How to use this model gateway: endpoints, authentication, errors and limits.',
    header: header(version, around),
    sendsRequests: around.sendsRequests,
    body: html`<div class="shell">
${contents(operations)}
<main id="main" tabindex="-1">
<h1>API documentation</h1>
<p class="lead">Every endpoint of this server, generated from its route table.</p>
<p id="found" class="found" role="status"></p>
${opening.map(
  ({ render }) => html`${render(sections)}
`,
)}${guideSections(paths)}
${endpoints(operations, around.sendsRequests)}
${closing.map(
  ({ render }) => html`${render(sections)}
`,
)}</main>
</div>`,
  });
  const chat = exampleEntry(snapshot)?.model;
  const examples = {
    ...exampleModels(snapshot),
    context: String(chat?.contextWindow ?? USUAL_CONTEXT),
    output: String(chat?.maxOutput ?? USUAL_OUTPUT),
  };
  return { ...page, text: fillIn(page.text, { brand: snapshot.names.brand, ...examples }) };
}
