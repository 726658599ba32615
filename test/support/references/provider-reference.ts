import { requiredVariables } from '../../../src/settings/hosts/fill-address.ts';
import { type Host, hosts } from '../../../src/settings/hosts/hosts.ts';
import { localHosts } from '../../../src/settings/hosts/local-hosts.ts';
import { quirks as allQuirks, type Quirk } from '../../../src/translation/canonical/quirk.ts';

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

/** The address of Vertex AI depends on its region. */
const optionalOf = (host: Host): string =>
  host.cloud === 'google'
    ? '`GOOGLE_CLOUD_LOCATION` (global)'
    : optionalVariables(templatesOf(host)).join(', ') || '–';

function notesOf({ query = {}, keyHeader, quirks = [], refuses = [] }: Host): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const header = keyHeader === undefined ? [] : [`key in \`${keyHeader}\``];
  const refused = refuses.map((word) => `refuses \`${word}\``);
  return (
    [...quirks.map(code), ...refused, ...header, ...parameters.map((text) => `query \`${text}\``)].join(
      ', ',
    ) || '–'
  );
}

const builtIn = table(
  ['id', 'required variables', 'optional variables', 'wires', 'base URL', 'quirks and more'],
  hosts.map((host) => [
    code(host.id),
    requiredOf(host),
    optionalOf(host),
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

This page lists the built-in providers, the credentials of clouds, the wires and the quirks. [Configuration](configuration.md#providers) has every field of a provider's row.

A built-in provider is set up when all of its required variables are set at the start. \`bin/tollgate provider list\` names the missing ones.
A row of the file with the same id replaces the built-in provider.

## Built-in providers
\`{NAME}\` in a base URL is the value of a variable. \`{NAME:-text}\` has a default. "A or B" means that either variable is enough.

${builtIn}
\`azure\` and \`azure-dated\` serve no model of the default catalog, because their models have the names of your deployments. Add a model
with a route to them.

## Clouds
A provider in a cloud is called with a credential of the cloud instead of a key. A row has at most one of \`api_key\`, \`aws\`, \`azure\` and
\`google\`. \`source\` names the source of the credential. With \`auto\` the gateway uses the first source that is set up, in the order of the
official SDKs.

A row with \`aws\` cannot have the wires \`openai-audio\` and \`openai-images\`. Their forms are sent as a stream, and AWS signs whole bodies.

- The gateway renews a token or a set of keys in the background before it expires. The old credential is used until then.
- If the host answers 401 or 403, the gateway renews the credential once and repeats the call once. If the host refuses the new credential
  too, further refusals cause at most one renewal a minute.
- Rows with the same settings share one credential.
- Without a valid credential, requests go to the next target. If there is none, the client gets \`503 upstream_unavailable\`.
- A failing source raises the alert \`credential_failing\` and writes \`credential-failed\` to the log. \`bin/tollgate provider show ID\` shows the
  source, the expiry of the credential and the reason. \`bin/tollgate doctor --live\` makes a real call and names what is missing.
- The gateway reads the variables at the start and at each reload.
- The gateway uses plain HTTP only for loopback addresses, metadata servers and container services. These requests bypass proxies.
- \`base_url\` cannot be the address of a metadata server.

### Google Vertex AI
\`\`\`yaml config
providers:
  - id: vertex-eu
    wires: [google-generate, anthropic-messages]
    google: { project: our-project, region: europe-west1 }
catalog:
  models:
    - id: gemini-on-vertex
      context_window: 1000000
      pricing_usd_per_mtok: { input: 1.25, output: 10 }
      routes: [{ provider: vertex-eu, model: gemini-2.5-pro, wires: [google-generate] }]
    - id: claude-on-vertex
      context_window: 200000
      pricing_usd_per_mtok: { input: 3, output: 15 }
      routes: [{ provider: vertex-eu, model: claude-sonnet-4-5@20250929, wires: [anthropic-messages] }]
\`\`\`

\`wires\` of a route names the protocol of its model. The built-in provider \`vertex\` uses application default credentials, the project in
\`GOOGLE_CLOUD_PROJECT\` and the region in \`GOOGLE_CLOUD_LOCATION\` (global).

| source | steps |
| - | - |
| service account | Set \`credentials_file\` or \`GOOGLE_APPLICATION_CREDENTIALS\` to its JSON file. The gateway uses the \`token_uri\` of the file. |
| workload identity federation | Set the same to a file of the type \`external_account\` whose token comes from a file or a URL. Executables and AWS as the other cloud are not supported. |
| your own login | Run \`gcloud auth application-default login\`. The gateway finds the file in \`~/.config/gcloud\`. It sends \`GOOGLE_CLOUD_QUOTA_PROJECT\`, or the \`quota_project_id\` of the file, as \`x-goog-user-project\`. |
| metadata server | Compute Engine, GKE and Cloud Run need no settings. \`GCE_METADATA_HOST\` replaces the address of the server. |

### Azure
\`\`\`yaml config
providers:
  - id: azure-entra
    wires: [openai-responses, openai-chat]
    base_url: https://NAME.openai.azure.com/openai/v1
    azure: {}
catalog:
  models:
    - id: our-gpt
      context_window: 400000
      pricing_usd_per_mtok: { input: 1.25, output: 10 }
      routes: [{ provider: azure-entra, model: NAME-OF-THE-DEPLOYMENT }]
\`\`\`

The identity needs the role *Cognitive Services OpenAI User*. \`AZURE_AUTHORITY_HOST\` replaces the address of Entra ID.

| source | steps |
| - | - |
| \`client_secret\` | Set \`AZURE_TENANT_ID\`, \`AZURE_CLIENT_ID\` and \`AZURE_CLIENT_SECRET\`, or the same members of \`azure\`. |
| \`client_certificate\` | Set \`AZURE_CLIENT_CERTIFICATE_PATH\` or \`certificate_file\` to a PEM file with the certificate and its unencrypted RSA key. |
| \`workload_identity\` | AKS with workload identity needs no settings. It sets \`AZURE_FEDERATED_TOKEN_FILE\`, the tenant and the client. |
| \`managed_identity\` | Virtual machines, App Service and Container Apps need no settings. \`client_id\` chooses a user-assigned identity. |

### AWS
\`\`\`yaml config
providers:
  - id: bedrock-eu
    wires: [bedrock-converse]
    base_url: https://bedrock-runtime.eu-west-1.amazonaws.com
    aws: {}
  - id: bedrock-openai
    wires: [openai-responses, openai-chat]
    base_url: https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1
    aws: { assume_role: { role_arn: 'arn:aws:iam::123456789012:role/models', external_id: our-id } }
  - id: bedrock-messages
    wires: [anthropic-messages]
    base_url: https://bedrock-runtime.eu-west-1.amazonaws.com/anthropic/v1
    aws: { profile: models }
catalog:
  models:
    - id: nova-in-the-eu
      context_window: 300000
      pricing_usd_per_mtok: { input: 0.8, output: 3.2 }
      routes: [{ provider: bedrock-eu, model: eu.amazon.nova-pro-v1:0 }]
\`\`\`

The three endpoints of Bedrock accept the same credentials. They also accept a Bedrock API key in \`api_key\`, with
\`key_header: authorization\`. The host of \`base_url\` names the region, unless \`region\` is set.

| source, in this order | steps |
| - | - |
| \`static\` | Set \`access_key_id\` and \`secret_access_key\` of \`aws\`, or \`AWS_ACCESS_KEY_ID\` and \`AWS_SECRET_ACCESS_KEY\`. A \`profile\` of the row takes precedence over the variables. |
| \`profile\` with a role | Name a profile with \`role_arn\` and \`source_profile\`, \`credential_source\` or \`web_identity_token_file\`. |
| \`web_identity\` | EKS with a role for the service account needs no settings. It sets \`AWS_WEB_IDENTITY_TOKEN_FILE\` and \`AWS_ROLE_ARN\`. |
| \`profile\` | Name a profile of the shared files with \`AWS_PROFILE\` or \`profile\`. \`credential_process\` and single sign-on are not supported. |
| \`container\` | ECS and EKS Pod Identity need no settings. |
| \`metadata\` | EC2 with an instance role needs no settings. The gateway uses IMDSv2. |

\`assume_role\` assumes a role with the keys of any of these sources. \`AWS_ENDPOINT_URL_STS\` replaces the address of the token service.

## Servers on the same machine
The gateway looks for these servers as [Model servers on the same machine](local-servers.md) describes. The variable of the address
switches a server on, even if it is not running. The key is sent only to an address that a variable names.

${local}
## Wires
A wire is the protocol that the gateway speaks to a provider. Requests in the same protocol pass through, and all others are translated.
Requests to [metered endpoints](metered-endpoints.md) are never translated.

| wire | protocol |
| - | - |
| \`openai-chat\` | OpenAI chat completions |
| \`openai-responses\` | OpenAI responses |
| \`openai-completions\` | OpenAI legacy completions |
| \`openai-embeddings\` | OpenAI embeddings |
| \`openai-images\` | OpenAI images |
| \`openai-audio\` | OpenAI audio |
| \`openai-moderations\` | OpenAI moderations |
| \`cohere-rerank\` | Cohere rerank, at \`{base_url}/rerank\` |
| \`anthropic-messages\` | Anthropic messages |
| \`google-generate\` | Google \`generateContent\` |
| \`google-interactions\` | Google Interactions, without stored state |
| \`google-embeddings\` | Google \`batchEmbedContents\` |
| \`bedrock-converse\` | Amazon Bedrock Converse |

## Quirks
A quirk is a difference between a host and the vendor of its protocol. \`quirks\` of a provider's row takes the same names.

${table(
  ['quirk', 'effect'],
  allQuirks.map((quirk) => [code(quirk), meanings[quirk]]),
)}`;
