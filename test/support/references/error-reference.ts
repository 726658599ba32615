import { catalogue, type ErrorCode } from '../../../src/base/errors/catalogue.ts';
import { errorStatus, errorType } from '../../../src/base/errors/envelope.ts';
import { Refusal } from '../../../src/base/errors/refusal.ts';
import { errorRemedies } from './error-remedies.ts';
import type { GeneratedParts } from './fill-generated.ts';
import { code, table } from './markdown.ts';

const errorCodes = Object.keys(catalogue) as ErrorCode[];

/** Returns the status, with the one of the messages dialect if it differs. */
function statusOf(name: ErrorCode): string {
  const { status } = catalogue[name];
  const messages = errorStatus('messages', new Refusal(name));
  return messages === status ? String(status) : `${status} (${messages} on \`/v1/messages\`)`;
}

function typesOf(name: ErrorCode): string {
  const refusal = new Refusal(name);
  const openai = errorType('openai', refusal.status);
  const messages = errorType('messages', errorStatus('messages', refusal));
  return messages === openai ? `\`${openai}\`` : `\`${openai}\` (\`${messages}\` on \`/v1/messages\`)`;
}

const sectionOf = (name: ErrorCode): string => {
  const { cause, remedy } = errorRemedies[name];
  return `### ${name}
Status ${statusOf(name)}, type ${typesOf(name)}. ${catalogue[name].message}

- **Cause**: ${cause}
- **Remedy**: ${remedy}
`;
};

const byStatus = [...errorCodes].sort((a, b) => catalogue[a].status - catalogue[b].status);

/** The parts of docs/errors.md. */
export const errorParts: GeneratedParts = {
  codes: () =>
    table(
      ['status', 'code', 'usual message'],
      byStatus.map((name) => [
        String(catalogue[name].status),
        `[${code(name)}](#${name})`,
        catalogue[name].message,
      ]),
    ),
  remedies: () => byStatus.map(sectionOf).join('\n'),
};
