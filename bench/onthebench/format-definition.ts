/** The address and the key that the manifest names. */
type DefinitionSubject = { repository: string; key: string };

/** The model of every request. A suffix names the wire that it is called on. */
export const MODEL = 'gpt-4o-mini';
const PORT = 8080;

/** The protocols in the order of the benchmark's matrix. Its rows are clients', its columns upstreams'. */
const protocols = ['openai', 'openai-responses', 'anthropic', 'gemini', 'cohere', 'bedrock'] as const;
type Protocol = (typeof protocols)[number];

const clientProtocols: readonly Protocol[] = ['openai', 'openai-responses', 'anthropic', 'gemini'];
const upstreamModels: Readonly<Partial<Record<Protocol, string>>> = {
  openai: MODEL,
  'openai-responses': `${MODEL}-responses`,
  anthropic: `${MODEL}-anthropic`,
  gemini: `${MODEL}-gemini`,
  bedrock: `${MODEL}-bedrock`,
};

/** Returns a row of the matrix: a 1 for each upstream's protocol that is served. */
const matrixRow = (client: Protocol): string =>
  protocols
    .map((upstream) => (clientProtocols.includes(client) && upstream in upstreamModels ? '1' : '0'))
    .join('');

/** Formats definition.json. */
export function formatDefinition({ repository, key }: DefinitionSubject): string {
  const definition = {
    name: 'tollgate',
    display: 'Tollgate',
    lang: 'TypeScript',
    class: 'Model gateway',
    repo: repository,
    port: PORT,
    path: '/v1/chat/completions',
    model: MODEL,
    auth: key,
    egress: Object.keys(upstreamModels),
    egress_models: upstreamModels,
    matrix: protocols.map(matrixRow),
    matrix_note:
      'Tollgate serves the chat completions, Responses, Messages and Gemini APIs. It has no Cohere or Bedrock API for clients, and no chat wire of Cohere.',
    config: [],
    config_files: [{ template: 'config.gen.yaml.tmpl', output: 'config.gen.yaml' }],
    runtime: { kind: 'native', proc_match: 'tollgate/checkout/src/program/main.ts' },
    launch: {
      kind: 'native',
      build: 'build.sh',
      binary: ['checkout/bin/tollgate'],
      args: [
        'serve',
        '--config',
        '{GW_DIR}/config.gen.yaml',
        '--data',
        '{GW_DIR}/data',
        '--port',
        '{GW_PORT}',
      ],
    },
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}
