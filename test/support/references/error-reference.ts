import { catalogue, type ErrorCode } from '../../../src/base/errors/catalogue.ts';
import { errorStatus, errorType } from '../../../src/base/errors/envelope.ts';
import { Refusal } from '../../../src/base/errors/refusal.ts';
import { errorRemedies } from './error-remedies.ts';

const codes = Object.keys(catalogue) as ErrorCode[];

/** Returns the status, with the one of the messages dialect if it differs. */
function statusOf(code: ErrorCode): string {
  const { status } = catalogue[code];
  const messages = errorStatus('messages', new Refusal(code));
  return messages === status ? String(status) : `${status} (${messages} on \`/v1/messages\`)`;
}

function typesOf(code: ErrorCode): string {
  const refusal = new Refusal(code);
  const openai = errorType('openai', refusal.status);
  const messages = errorType('messages', errorStatus('messages', refusal));
  return messages === openai ? `\`${openai}\`` : `\`${openai}\` (\`${messages}\` on \`/v1/messages\`)`;
}

const sectionOf = (code: ErrorCode): string => {
  const { cause, remedy } = errorRemedies[code];
  return `### ${code}
Status ${statusOf(code)}, type ${typesOf(code)}. ${catalogue[code].message}

- **Cause**: ${cause}
- **Remedy**: ${remedy}
`;
};

const indexRow = (code: ErrorCode): string =>
  `| ${catalogue[code].status} | [\`${code}\`](#${code}) | ${catalogue[code].message} |\n`;

const byStatus = [...codes].sort((a, b) => catalogue[a].status - catalogue[b].status);

/** Formats docs/errors.md. */
export const errorReference = (): string => `# Error codes

<!-- UPDATE=1 npm test -- test/program/references.test.ts rewrites this page. -->

This page lists every error code. [Errors](specification/errors.md) in the specification defines the envelopes, the order of checks and
retries. [Troubleshooting](troubleshooting.md) begins with symptoms.

Each error has its code in \`error.code\` and in the header \`x-svc-error-code\`. \`bin/tollgate requests show ID\` shows operators the
calls and errors of the request. The id is the \`x-svc-request-id\` of the answer.

## Codes by status

| status | code | usual message |
| - | - | - |
${byStatus.map(indexRow).join('')}
## Causes and remedies

${byStatus.map(sectionOf).join('\n')}`;
