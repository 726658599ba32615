import { catalogue } from '../../base/errors/catalogue.ts';
import { keysOf } from '../../base/lib/records.ts';
import type { RouteParameter } from '../../edge/http/route.ts';
import { curlCommand } from './curl-command.ts';
import { type FieldRow, fieldRows } from './field-rows.ts';
import { markdownTable } from './markdown-table.ts';
import { groupsOf, type Operation, operationOf } from './operation.ts';
import type { ServedPage } from './served-page.ts';
import { type DocumentFacts, textDocument } from './text-document.ts';

/**
 * Builds `/docs.md`: the endpoints as Markdown, for readers that are programs. `{origin}` stays as a
 * placeholder.
 */
export function markdownPage(facts: DocumentFacts): ServedPage {
  const groups = [...groupsOf(facts.routes.map(operationOf))];
  const text = [
    '# Tollgate API',
    'Every endpoint of this server. The base URL is `{origin}/v1`, and the HTML form is at {origin}/docs.',
    `API keys begin with \`${facts.snapshot.names.keyPrefix}\`.`,
    ...groups.flatMap(([group, operations]) => [`## ${group}`, ...operations.map(operationText)]),
    '## Error codes',
    markdownTable(
      ['code', 'status', 'message'],
      keysOf(catalogue).map((code) => [
        `\`${code}\``,
        String(catalogue[code].status),
        catalogue[code].message,
      ]),
    ),
  ].join('\n\n');
  return textDocument(facts.snapshot, 'text/markdown', `${text}\n`);
}

function operationText(operation: Operation): string {
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
    form,
    errors,
  } = operation;
  return [
    `### ${method} ${path}`,
    `${summary}.${answer ? ` ${answer}` : ''}`,
    `Credential: ${key === 'none' ? 'none' : `\`${key}\``}.`,
    parameterTable('path parameter', pathParameters),
    parameterTable('query parameter', query),
    parameterTable('header', headers),
    form ? fieldTable('form field', fieldRows(form.schema)) : '',
    body ? fieldTable('field', fieldRows(body)) : '',
    `\`\`\`sh\n${curlCommand(operation)}\n\`\`\``,
    errors.length > 0 ? `Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const parameterTable = (title: string, parameters: readonly RouteParameter[]): string =>
  parameters.length === 0
    ? ''
    : markdownTable(
        [title, 'description'],
        parameters.map(({ name, description }) => [`\`${name}\``, description]),
      );

const fieldTable = (title: string, rows: readonly FieldRow[]): string =>
  rows.length === 0
    ? ''
    : markdownTable(
        [title, 'type', 'required', 'description'],
        rows.flatMap((row) => fieldLines(row, [])),
      );

/** Returns the line of a field, and the lines of all kinds of objects that it takes. */
function fieldLines(
  { path, type, required, description, choices = [] }: FieldRow,
  kinds: readonly string[],
): string[][] {
  const condition = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return [
    [`\`${path}\`${condition}`, type, required ? 'yes' : 'no', description],
    ...choices.flatMap(({ label, rows }) => rows.flatMap((row) => fieldLines(row, [...kinds, label]))),
  ];
}
