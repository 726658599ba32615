import packageFile from '../../../package.json' with { type: 'json' };
import type { Exchange } from '../../edge/http/exchange.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { docsPage } from './docs-page.ts';
import { escapeHtml } from './html.ts';
import { openApiDocument } from './openapi.ts';
import type { HtmlPage } from './page-frame.ts';
import { PreparedPage } from './prepared-page.ts';
import { startPage } from './start-page.ts';

const { version } = packageFile;

/** What is served: made once for each configuration, with `{origin}` in the place of the server's address. */
type Document = {
  path: string;
  describe: RouteDescription;
  make: (snapshot: Snapshot, routes: readonly Route[]) => HtmlPage;
  /** Makes text fit to stand in it. */
  escape: (text: string) => string;
};

const group = 'Documentation';

const documents: readonly Document[] = [
  {
    path: '/',
    describe: { group, summary: 'The start page', answer: 'A page for people.', answerType: 'text/html' },
    make: (snapshot) => startPage({ snapshot, version }),
    escape: escapeHtml,
  },
  {
    path: '/docs',
    describe: { group, summary: 'This documentation', answer: 'A page for people.', answerType: 'text/html' },
    make: (snapshot, routes) => docsPage({ routes, snapshot, version }),
    escape: escapeHtml,
  },
  {
    path: '/openapi.json',
    describe: { group, summary: 'The same for programs', answer: 'An OpenAPI 3.1 document.' },
    make: ({ names }, routes) => ({
      text: JSON.stringify(openApiDocument({ routes, names, url: '{origin}', version })),
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    }),
    escape: (text) => JSON.stringify(text).slice(1, -1),
  },
];

/** `/`, `/docs` and `/openapi.json`, told from the given routes and from themselves. */
export function docsRoutes(others: readonly Route[]): Route[] {
  const routes: Route[] = documents.map((document) => {
    const made = new WeakMap<Snapshot, PreparedPage>();
    return {
      method: 'GET',
      path: document.path,
      describe: document.describe,
      handle: (exchange) => {
        const { snapshot } = exchange;
        let page = made.get(snapshot);
        if (!page) {
          page = new PreparedPage(document.make(snapshot, [...others, ...routes]));
          made.set(snapshot, page);
        }
        return conditional(exchange, page, document.escape(publicUrl(exchange)));
      },
    };
  });
  return routes;
}

function conditional({ request }: Exchange, page: PreparedPage, origin: string): Reply {
  const { body, etag } = page.at(origin);
  const headers = { ...page.headers, 'cache-control': 'no-cache', etag };
  return matchesEtag(request.headers.get('if-none-match'), etag)
    ? { status: 304, body: null, headers }
    : { status: 200, body, headers };
}
