import packageFile from '../../../package.json' with { type: 'json' };
import { revalidation } from '../../api/descriptions/revalidation.ts';
import { escapeHtml } from '../../base/lib/escape-html.ts';
import { Type } from '../../base/schema/type.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { docsPage } from './docs-page.ts';
import type { ListedPage } from './listed-page.ts';
import { llmsText } from './llms-text.ts';
import { markdownPage } from './markdown-page.ts';
import { openApiPage } from './open-api-page.ts';
import type { ServedPage } from './served-page.ts';

const { version } = packageFile;

type DocumentSources = { routes: readonly Route[]; listed: () => readonly ListedPage[] };

/**
 * A served document. It is built once for each configuration, with `{origin}` as a placeholder for the
 * server's address.
 */
export type ServedDocument = {
  path: string;
  describe: RouteDescription;
  make: (snapshot: Snapshot, sources: DocumentSources) => ServedPage;
  /** Escapes text for the document's format. */
  escape: (text: string) => string;
};

const group = 'Documentation';

/** The documents that describe the API of this server. */
export const servedDocuments: readonly ServedDocument[] = [
  {
    path: '/docs',
    describe: {
      group,
      summary: 'Returns this documentation',
      answer: 'An HTML page.',
      answerType: 'text/html',
      ...revalidation,
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
      ...revalidation,
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
      ...revalidation,
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
      ...revalidation,
    },
    make: (snapshot, sources) => llmsText({ snapshot, ...sources }),
    escape: (text) => text,
  },
];
