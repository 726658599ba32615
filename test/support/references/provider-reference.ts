import { requiredVariables } from '../../../src/settings/hosts/fill-address.ts';
import { type Host, hosts } from '../../../src/settings/hosts/hosts.ts';
import { localHosts } from '../../../src/settings/hosts/local-hosts.ts';
import type { Quirk } from '../../../src/translation/canonical/quirk.ts';
import { quirks as allQuirks } from '../../../src/translation/canonical/quirk.ts';

const meanings: Readonly<Record<Quirk, string>> = {
  'deployment-in-path': 'The path names the deployment: `/deployments/MODEL/chat/completions`.',
  'max-completion-tokens-only': 'The ceiling is sent as `max_completion_tokens`.',
  'max-tokens-only': 'The ceiling is sent as `max_tokens`.',
  'no-developer-role': 'Messages with the role `developer` are sent with the role `system`.',
  'no-parallel-tool-calls': '`parallel_tool_calls` is not sent.',
  'no-stream-options': '`stream_options` is not sent.',
  'replays-reasoning':
    'If the request has tools, each earlier turn of the assistant is sent with its `reasoning_content`, or with an empty one.',
  'random-seed': '`seed` is sent as `random_seed`.',
  'rejects-unknown-fields': 'Only fields that the host knows are sent.',
  'thinking-in-content': 'The thinking of earlier turns is sent as an item of their content.',
  'thinking-by-flag': 'Thinking is turned on by `enable_thinking`, with a budget in `thinking_budget`.',
  'thinking-by-reasoning': 'Thinking is turned on by `reasoning`, which can have a budget.',
  'thinking-by-type': 'Thinking is turned on by `thinking.type`.',
  'thinking-in-ceiling':
    '`max_tokens` includes thinking. Without it, a hold covers all the output that a reasoning model can write.',
};

const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(', ') || '–';
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** The variables of an address or a query that have a default. */
const optionalVariables = (text: string): string[] =>
  [...text.matchAll(/\{([A-Z0-9_]+):-([^}]*)\}/g)].map(([, name, otherwise]) => `\`${name}\` (${otherwise})`);

const templatesOf = ({ baseUrl, query = {} }: Host): string => [baseUrl, ...Object.values(query)].join(' ');

/** The key's variables are alternatives, and each variable of the address is required too. */
function requiredOf(host: Host): string {
  const key = host.keyVariables.map(code).join(' or ');
  return [key, ...requiredVariables(templatesOf(host)).map(code)].join('; ');
}

function notesOf({ query = {}, keyHeader, quirks = [] }: Host): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const header = keyHeader === undefined ? [] : [`key in \`${keyHeader}\``];
  return [...quirks.map(code), ...header, ...parameters.map((text) => `query \`${text}\``)].join(', ') || '–';
}

const builtIn = table(
  ['id', 'required variables', 'optional variables', 'wires', 'base URL', 'quirks and more'],
  hosts.map((host) => [
    code(host.id),
    requiredOf(host),
    optionalVariables(templatesOf(host)).join(', ') || '–',
    list(host.wires),
    code(host.baseUrl),
    notesOf(host),
  ]),
);

const local = table(
  ['id', 'address', 'key', 'usual address', 'wires', 'quirks'],
  localHosts.map(({ id, addressVariable, keyVariable, port, wires, quirks }) => [
    code(id),
    code(addressVariable),
    code(keyVariable),
    code(`http://127.0.0.1:${port}`),
    list(wires),
    list(quirks),
  ]),
);

/** Formats docs/providers.md. */
export const providerReference = (): string => `# Providers

<!-- UPDATE=1 npm test -- test/program/references.test.ts rewrites this page. -->

This page lists the built-in providers. [Operations](operations.md#providers) describes how a provider is switched on, and
[Configuration](configuration.md#providers) has every field of a provider's row.

A built-in provider is set up when all of its required variables are set at the start. \`bin/tollgate provider list\` names the missing ones.
A row of the file with the same id replaces the built-in provider.

## Built-in providers
\`{NAME}\` in a base URL is the value of a variable. \`{NAME:-text}\` has a default. "A or B" means that either variable is enough.

${builtIn}
\`azure\` and \`azure-dated\` serve no model of the default catalog, because their models have the names of your deployments. Add a model
with a route to them.

## Servers on the same machine
The gateway looks for these servers as [Operations](operations.md#model-servers-on-the-same-machine) describes. The variable of the address
switches a server on, even if it is not running. The key is sent only to an address that a variable names.

${local}
## Wires
A wire is the protocol that the gateway speaks to a provider. Requests in the same protocol pass through, and all others are translated.

| wire | protocol |
| - | - |
| \`openai-chat\` | OpenAI chat completions |
| \`openai-responses\` | OpenAI responses |
| \`openai-completions\` | OpenAI legacy completions |
| \`openai-embeddings\` | OpenAI embeddings |
| \`anthropic-messages\` | Anthropic messages |
| \`google-generate\` | Google \`generateContent\` |
| \`bedrock-converse\` | Amazon Bedrock Converse |

## Quirks
A quirk is a difference between a host and the vendor of its protocol. \`quirks\` of a provider's row takes the same names.

${table(
  ['quirk', 'effect'],
  allQuirks.map((quirk) => [code(quirk), meanings[quirk]]),
)}`;
