import { branchesOf, nodeOf } from '../../../base/schema/schema-node.ts';
import type { RouteParameter } from '../../../edge/http/route.ts';
import { anchorOf } from '../anchor-of.ts';
import { curlCommand } from '../curl-command.ts';
import { type FieldChoice, type FieldRow, fieldRows } from '../field-rows.ts';
import { type Html, html, prose } from '../html.ts';
import { groupsOf, type Operation } from '../operation.ts';
import { block, section } from '../section.ts';
import { typeWords } from '../type-words.ts';
import { tryItForm } from './try-it.ts';

const choice = ({ label, rows }: FieldChoice): Html =>
  html`<details class="inner"><summary><code>${label}</code></summary>${fieldList(rows)}</details>`;

const fieldRow = ({ path, type, required, description, choices }: FieldRow): Html =>
  html`<div><dt><code>${path}</code>
<span class="type">${type}</span>${required && html` <span class="required">required</span>`}</dt>
${description && html`<dd>${prose(description)}</dd>`}
${choices && html`<dd class="choices"><p>One of ${choices.length} kinds:</p>${choices.map(choice)}</dd>`}</div>
`;

function fieldList(rows: readonly FieldRow[]): Html {
  return html`<dl class="fields">${rows.map(fieldRow)}</dl>`;
}

const parameterRow = ({ name, description, schema, isRequired = false }: RouteParameter): FieldRow => ({
  path: name,
  type: schema ? typeWords(nodeOf(schema)) : 'string',
  required: isRequired,
  description,
});

const part = (title: string, body: Html): Html => html`<h4>${title}</h4>
${body}`;

const parameters = (title: string, rows: readonly RouteParameter[] | undefined) =>
  rows && rows.length > 0 && part(title, fieldList(rows.map(parameterRow)));

/** Renders the fields of each form of the answer. */
function answerForms({ answerSchema, headers = [] }: Operation): Html[] {
  if (!answerSchema) return [];
  const forms = branchesOf(nodeOf(answerSchema)) ?? [nodeOf(answerSchema)];
  return forms.map((form, index) => {
    const condition = index > 0 && headers.some(({ name }) => name === 'anthropic-version');
    const summary = condition ? 'Fields with an anthropic-version header' : 'Fields of the answer';
    return html`<details class="inner"><summary>${summary}</summary>${fieldList(fieldRows(form))}</details>`;
  });
}

function answer(operation: Operation): Html {
  const { answerStatus = 200, answer: words = 'Done.', streams, answerType } = operation;
  const type = answerType?.split(';')[0] ?? 'application/json';
  return part(
    'Answer',
    html`<p><span class="status">${answerStatus}</span> <code>${type}</code>${streams && html` or <code>text/event-stream</code>`}. ${prose(words)}</p>
${answerForms(operation)}`,
  );
}

const errors = ({ errors: codes }: Operation): Html =>
  part(
    'Errors',
    html`<ul class="chips">${codes.map((code) => html`<li><a href="#error-${code}">${code}</a></li>`)}</ul>`,
  );

const isPublic = ({ path }: Operation): boolean => path.startsWith('/v1/');

function endpoint(operation: Operation, sendsRequests: boolean): Html {
  const { method, path, summary, pathParameters, query, headers, body, form } = operation;
  const id = anchorOf(operation);
  return html`<article id="${id}" class="endpoint" data-search aria-labelledby="${id}-title">
<details${isPublic(operation) && html` open`}>
<summary><span class="method ${method.toLowerCase()}">${method}</span>
<h3 id="${id}-title"><code>${path}</code></h3>
<span class="what">${prose(summary)}</span></summary>
<div class="detail">
${block(curlCommand(operation))}
${parameters('Path', pathParameters)}
${parameters('Query', query)}
${parameters('Headers', headers)}
${form && part('Form', fieldList(fieldRows(form.schema)))}
${body && part('Body', fieldList(fieldRows(body)))}
${sendsRequests && isPublic(operation) && (body || !form) && tryItForm(operation)}
${answer(operation)}
${errors(operation)}
</div>
</details>
</article>
`;
}

/** Renders one section for each group of endpoints. */
export const endpointSections = (operations: readonly Operation[], sendsRequests: boolean): Html[] =>
  [...groupsOf(operations)].map(([group, members]) =>
    section(
      { id: anchorOf({ group }), title: group, search: false },
      html`${members.map((operation) => endpoint(operation, sendsRequests))}`,
    ),
  );
