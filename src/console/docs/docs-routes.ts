import packageFile from '../../../package.json' with { type: 'json' };
import { revalidated } from '../../api/descriptions/revalidated.ts';
import { Type } from '../../base/schema/type.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { CountRequest, Route, RouteDescription } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { answerPage } from './answer-page.ts';
import { docsPage } from './docs-page.ts';
import { exampleModels } from './example-models.ts';
import { escapeHtml } from './html.ts';
import { type ListedPage, llmsText } from './llms-text.ts';
import { markdownPage } from './markdown-page.ts';
import { openApiDocument } from './openapi.ts';
import type { HtmlPage } from './page-frame.ts';
import { PreparedPage } from './prepared-page.ts';

const { version } = packageFile;

type Facts = { routes: readonly Route[]; listed: () => readonly ListedPage[] };

/**
 * A served document. It is built once for each configuration, with `{origin}` as a
 * placeholder for the server's address.
 */
type Document = {
  path: string;
  describe: RouteDescription;
  make: (snapshot: Snapshot, facts: Facts) => HtmlPage;
  /** Escapes text for the document's format. */
  escape: (text: string) => string;
};

const group = 'Documentation';
const ORIGIN = '{origin}';

const documents: readonly Document[] = [
  {
    path: '/docs',
    describe: {
      group,
      summary: 'Returns this documentation',
      answer: 'An HTML page.',
      answerType: 'text/html',
      ...revalidated,
    },
    make: (snapshot, { routes }) => docsPage({ routes, snapshot, version }),
    escape: escapeHtml,
  },
  {
    path: '/openapi.json',
    describe: {
      group,
      summary: 'Returns this documentation as an OpenAPI description',
      answer: 'An OpenAPI 3.1 document.',
      answerSchema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      ...revalidated,
    },
    make: (snapshot, { routes }) => openApiPage(snapshot, routes),
    escape: (text) => JSON.stringify(text).slice(1, -1),
  },
  {
    path: '/docs.md',
    describe: {
      group,
      summary: 'Returns this documentation as Markdown',
      answer: 'A Markdown document.',
      answerType: 'text/markdown',
      ...revalidated,
    },
    make: (snapshot, { routes }) => markdownPage({ snapshot, routes }),
    escape: (text) => text,
  },
  {
    path: '/llms.txt',
    describe: {
      group,
      summary: 'Lists the documents of this server for language models',
      answer: 'A text in the form of llmstxt.org.',
      answerType: 'text/plain',
      ...revalidated,
    },
    make: (snapshot, facts) => llmsText({ snapshot, ...facts }),
    escape: (text) => text,
  },
];

/**
 * The parts of the routes of documents: the address that a client used, the window that a request
 * counts in, and the listed guides.
 */
export type DocsOptions = {
  originOf?: ((exchange: Exchange) => string) | undefined;
  count?: CountRequest | undefined;
  listed?: () => readonly ListedPage[];
};

/** Builds `/openapi.json`. */
export const openApiPage = (snapshot: Snapshot, routes: readonly Route[]): HtmlPage => ({
  text: JSON.stringify(
    openApiDocument({
      routes,
      names: snapshot.names,
      url: ORIGIN,
      version,
      examples: exampleModels(snapshot),
    }),
  ),
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
});

/**
 * Returns the routes of the documents. They document themselves and those of the given routes that have a
 * description.
 */
export function docsRoutes(
  others: readonly Route[],
  { originOf = publicUrl, count, listed = () => [] }: DocsOptions = {},
): Route[] {
  const described = others.filter(({ describe }) => describe !== undefined);
  const routes: Route[] = documents.map((document) => {
    const pages = new WeakMap<Snapshot, PreparedPage>();
    return {
      method: 'GET',
      path: document.path,
      describe: document.describe,
      handle: (exchange) => {
        const refusal = count?.(exchange);
        if (refusal) return refusal;
        const { snapshot } = exchange;
        let page = pages.get(snapshot);
        if (!page) {
          page = new PreparedPage(document.make(snapshot, { routes: [...described, ...routes], listed }));
          pages.set(snapshot, page);
        }
        return answerPage(exchange, page, document.escape(originOf(exchange)));
      },
    };
  });
  return routes;
}
