import { requiredVariables } from '../../../src/settings/hosts/fill-address.ts';
import { type Host, hosts } from '../../../src/settings/hosts/hosts.ts';
import { localHosts } from '../../../src/settings/hosts/local-hosts.ts';
import { quirks as allQuirks, type Quirk } from '../../../src/translation/canonical/quirk.ts';
import type { Wire } from '../../../src/translation/canonical/wire.ts';
import type { GeneratedParts } from './fill-generated.ts';
import { code, codes, NO_VALUE, table } from './markdown.ts';

const meanings: Readonly<Record<Quirk, string>> = {
  'deployment-in-path': 'The path names the deployment: `/deployments/MODEL/chat/completions`.',
  'max-completion-tokens-only': 'The ceiling is sent as `max_completion_tokens`.',
  'max-tokens-only': 'The ceiling is sent as `max_tokens`.',
  'no-developer-role': 'Messages with the role `developer` are sent with the role `system`.',
  'no-parallel-tool-calls': '`parallel_tool_calls` is not sent.',
  'no-stream-options': '`stream_options` is not sent.',
  'replays-reasoning':
    'If the request has tools, each earlier assistant turn is sent with its `reasoning_content`, or with an empty one.',
  'random-seed': '`seed` is sent as `random_seed`.',
  'rejects-unknown-fields': 'Only fields that the host knows are sent.',
  'thinking-in-content': 'The thinking of earlier turns is sent as an item of their content.',
  'thinking-by-flag': 'Thinking is turned on by `enable_thinking`, with a budget in `thinking_budget`.',
  'thinking-by-reasoning': 'Thinking is turned on by `reasoning`, which can have a budget.',
  'thinking-by-type': 'Thinking is turned on by `thinking.type`.',
  'thinking-in-ceiling':
    '`max_tokens` includes thinking. Without it, a hold covers all the output that a reasoning model can write.',
};

/** The variables of an address or a query that have a default. */
const optionalVariables = (text: string): string[] =>
  [...text.matchAll(/\{([A-Z0-9_]+):-([^}]*)\}/g)].map(([, name, otherwise]) => `\`${name}\` (${otherwise})`);

const templatesOf = ({ baseUrl, query = {} }: Host): string => [baseUrl, ...Object.values(query)].join(' ');

/** The key's variables are alternatives, and each variable of the address is required too. */
function requiredOf(host: Host): string {
  const key = host.keyVariables.map(code).join(' or ');
  return [key, ...requiredVariables(templatesOf(host)).map(code)].join('; ');
}

/** The address of Vertex AI depends on its region. */
const optionalOf = (host: Host): string =>
  host.cloud === 'google'
    ? '`GOOGLE_CLOUD_LOCATION` (global)'
    : optionalVariables(templatesOf(host)).join(', ') || NO_VALUE;

function notesOf({ query = {}, keyHeader, quirks = [], refuses = [] }: Host): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const header = keyHeader === undefined ? [] : [`key in \`${keyHeader}\``];
  const refused = refuses.map((word) => `refuses \`${word}\``);
  return (
    [...quirks.map(code), ...refused, ...header, ...parameters.map((text) => `query \`${text}\``)].join(
      ', ',
    ) || NO_VALUE
  );
}

const builtIn = () =>
  table(
    ['id', 'required variables', 'optional variables', 'wires', 'base URL', 'quirks and more'],
    hosts.map((host) => [
      code(host.id),
      requiredOf(host),
      optionalOf(host),
      codes(host.wires),
      code(host.baseUrl),
      notesOf(host),
    ]),
  );

const local = () =>
  table(
    ['id', 'address', 'key', 'usual address', 'wires', 'quirks'],
    localHosts.map(({ id, addressVariable, keyVariable, port, wires, quirks }) => [
      code(id),
      code(addressVariable),
      code(keyVariable),
      code(`http://127.0.0.1:${port}`),
      codes(wires),
      codes(quirks),
    ]),
  );

const wires: Readonly<Record<Wire, string>> = {
  'openai-chat': 'OpenAI chat completions',
  'openai-responses': 'OpenAI responses',
  'openai-completions': 'OpenAI legacy completions',
  'openai-embeddings': 'OpenAI embeddings',
  'openai-images': 'OpenAI images',
  'openai-audio': 'OpenAI audio',
  'openai-moderations': 'OpenAI moderations',
  'cohere-rerank': 'Cohere rerank, at `{base_url}/rerank`',
  'anthropic-messages': 'Anthropic messages',
  'google-generate': 'Google `generateContent`',
  'google-interactions': 'Google Interactions, without stored state',
  'google-embeddings': 'Google `batchEmbedContents`',
  'bedrock-converse': 'Amazon Bedrock Converse',
};

/** The tables of docs/providers.md. */
export const providerParts: GeneratedParts = {
  'built-in': builtIn,
  local,
  wires: () =>
    table(
      ['wire', 'protocol'],
      Object.entries(wires).map(([wire, protocol]) => [code(wire), protocol]),
    ),
  quirks: () =>
    table(
      ['quirk', 'effect'],
      allQuirks.map((quirk) => [code(quirk), meanings[quirk]]),
    ),
};
