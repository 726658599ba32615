/** The files and values that the manifest names. */
export type ManifestSubject = { repository: string; ref: string; key: string };

export const port = 8080;
export const model = 'gpt-4o-mini';

/** Chat completions, Responses and Messages, each to every wire but Cohere's. */
const served = '111101';
const unserved = '000000';

/** Returns the values of the placeholders that the benchmark fills in. */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{|\}\}|\{([A-Z_]+)\}/g, (text, name: string | undefined) => {
    if (name === undefined) return text[0]!;
    const value = values[name];
    if (value === undefined) throw new Error(`the template has an unknown placeholder ${text}`);
    return value;
  });
}

/** Formats definition.json. */
export function formatDefinition({ repository, key }: ManifestSubject): string {
  const definition = {
    name: 'tollgate',
    display: 'Tollgate',
    lang: 'TypeScript',
    class: 'Model gateway',
    repo: repository,
    port,
    path: '/v1/chat/completions',
    model,
    auth: key,
    egress: ['openai', 'openai-responses', 'anthropic', 'gemini', 'bedrock'],
    egress_models: {
      openai: model,
      'openai-responses': `${model}-responses`,
      anthropic: `${model}-anthropic`,
      gemini: `${model}-gemini`,
      bedrock: `${model}-bedrock`,
    },
    matrix: [served, served, served, unserved, unserved, unserved],
    matrix_note:
      'Tollgate serves the chat completions, Responses and Messages APIs. It has no Gemini, Cohere or Bedrock API for clients, and no chat wire of Cohere.',
    config: [],
    config_files: [{ template: 'config.gen.yaml.tmpl', output: 'config.gen.yaml' }],
    runtime: { kind: 'native', proc_match: 'tollgate/checkout/src/program/main.ts' },
    launch: {
      kind: 'native',
      build: 'build.sh',
      binary: ['checkout/bin/tollgate'],
      args: [
        ...['serve', '--config', '{GW_DIR}/config.gen.yaml'],
        ...['--data', '{GW_DIR}/data', '--port', '{GW_PORT}'],
      ],
    },
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** Formats the script that installs Tollgate beside the manifest. */
export const formatBuild = ({ repository, ref }: ManifestSubject): string => `#!/bin/sh
set -eu
cd "$(dirname "$0")"
[ -d checkout ] || git clone --depth 1 --branch '${ref}' '${repository}' checkout
cd checkout
npm ci --omit=dev --no-audit --no-fund
`;
