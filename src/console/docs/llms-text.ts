import type { ListedPage } from './listed-page.ts';
import { groupsOf, operationOf } from './operation.ts';
import type { ServedPage } from './served-page.ts';
import { type DocumentFacts, textDocument } from './text-document.ts';

const ORIGIN = '{origin}';

/** The folders of the documents. `guides` is the folder of the guides. */
type Addresses = { markdown: string; openApi: string; reference: string; guides: string };

const served: Addresses = {
  markdown: `${ORIGIN}/docs.md`,
  openApi: `${ORIGIN}/openapi.json`,
  reference: `${ORIGIN}/docs`,
  guides: `${ORIGIN}/docs/`,
};

/**
 * Builds `/llms.txt`: the documents in the form of llmstxt.org. Without `addresses`, they are those of the
 * server.
 */
export function llmsText(
  facts: DocumentFacts & { listed: () => readonly ListedPage[]; addresses?: Addresses },
): ServedPage {
  const { listed, addresses = served } = facts;
  const groups = [...groupsOf(facts.routes.map(operationOf)).keys()].filter(
    (name) => !name.startsWith('Admin'),
  );
  const text = `# Tollgate

> A model gateway: one address and one API key for a catalog of language models. Clients speak Messages, Responses, Chat
> Completions, Gemini or Interactions, and every model answers in each of them.

The base URL is ${ORIGIN}/v1. It is ${ORIGIN} for clients of Anthropic and Google. Keys begin with \`${facts.snapshot.names.keyPrefix}\`.

## Documentation
- [API reference](${addresses.markdown}): every endpoint with its fields, an example and its errors: ${groups.join(', ')}
- [OpenAPI](${addresses.openApi}): the same as an OpenAPI 3.1 document
- [Models](${ORIGIN}/v1/models): the catalog with prices, windows and capabilities

${listedText(listed(), addresses.guides)}## Optional
- [HTML reference](${addresses.reference}): the reference as a page
`;
  return textDocument(facts.snapshot, 'text/plain', text);
}

const listedText = (pages: readonly ListedPage[], folder: string): string =>
  [...Map.groupBy(pages, ({ group }) => group)]
    .map(([group, members]) => `## ${group}\n${members.map((page) => pageLine(page, folder)).join('')}\n`)
    .join('');

const pageLine = ({ title, place, about }: ListedPage, folder: string): string =>
  `- [${title}](${folder}${place})${about && `: ${about}`}\n`;
