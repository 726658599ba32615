import { catalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import type { Route, RouteParameter } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { curlCommand } from './curl-command.ts';
import { exampleModels } from './example-models.ts';
import { type FieldRow, fieldRows } from './field-rows.ts';
import { fillIn } from './fill-in.ts';
import { groupsOf, type Operation, operationOf } from './operation.ts';

/** A page of the documents, with its address from the root of their site. */
export type ListedPage = { group: string; title: string; place: string; about: string };

type Facts = { routes: readonly Route[]; snapshot: Snapshot };
type Document = { text: string; headers: Readonly<Record<string, string>> };

const documentOf = ({ snapshot }: Facts, type: string, text: string): Document => ({
  text: fillIn(text, { brand: snapshot.names.brand, ...exampleModels(snapshot) }),
  headers: { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' },
});

/**
 * Builds `/docs.md`: the endpoints as Markdown, for readers that are programs.
 * `{origin}` stays as a placeholder.
 */
export function markdownPage(facts: Facts): Document {
  const groups = [...groupsOf(facts.routes.map(operationOf))];
  const text = [
    '# Tollgate API',
    'Every endpoint of this server. The base URL is `{origin}/v1`, and the HTML form is at {origin}/docs.',
    `API keys begin with \`${facts.snapshot.names.keyPrefix}\`.`,
    ...groups.flatMap(([group, operations]) => [`## ${group}`, ...operations.map(operationText)]),
    '## Error codes',
    table(
      ['code', 'status', 'message'],
      (Object.keys(catalogue) as ErrorCode[]).map((code) => [
        `\`${code}\``,
        String(catalogue[code].status),
        catalogue[code].message,
      ]),
    ),
  ].join('\n\n');
  return documentOf(facts, 'text/markdown', `${text}\n`);
}

/**
 * Builds `/llms.txt`: the documents in the form of llmstxt.org.
 * Without `addresses`, they are those of the server.
 */
export function llmsText(
  facts: Facts & { listed: () => readonly ListedPage[]; addresses?: Addresses },
): Document {
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
  return documentOf(facts, 'text/plain', text);
}

const ORIGIN = '{origin}';

/** The folders of the documents. `guides` is the folder of the guides. */
type Addresses = { markdown: string; openApi: string; reference: string; guides: string };

const served: Addresses = {
  markdown: `${ORIGIN}/docs.md`,
  openApi: `${ORIGIN}/openapi.json`,
  reference: `${ORIGIN}/docs`,
  guides: `${ORIGIN}/docs/`,
};

const listedText = (pages: readonly ListedPage[], folder: string): string =>
  [...Map.groupBy(pages, ({ group }) => group)]
    .map(
      ([group, members]) =>
        `## ${group}\n${members.map(({ title, place, about }) => `- [${title}](${folder}${place})${about && `: ${about}`}\n`).join('')}\n`,
    )
    .join('');

const operationText = (operation: Operation): string => {
  const {
    method,
    path,
    summary,
    answer,
    key,
    pathParameters,
    query = [],
    headers = [],
    body,
    errors,
  } = operation;
  return [
    `### ${method} ${path}`,
    `${summary}.${answer ? ` ${answer}` : ''}`,
    `Credential: ${key === 'none' ? 'none' : `\`${key}\``}.`,
    parameterTable('path parameter', pathParameters),
    parameterTable('query parameter', query),
    parameterTable('header', headers),
    body ? fieldTable(fieldRows(body)) : '',
    `\`\`\`sh\n${curlCommand(operation)}\n\`\`\``,
    errors.length > 0 ? `Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const parameterTable = (title: string, parameters: readonly RouteParameter[]): string =>
  parameters.length === 0
    ? ''
    : table(
        [title, 'description'],
        parameters.map(({ name, description }) => [`\`${name}\``, description]),
      );

const fieldTable = (rows: readonly FieldRow[]): string =>
  rows.length === 0
    ? ''
    : table(
        ['field', 'type', 'required', 'description'],
        rows.map(({ path, type, required, description }) => [
          `\`${path}\``,
          type,
          required ? 'yes' : 'no',
          description,
        ]),
      );

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
