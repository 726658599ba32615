import { describe, expect, test } from 'bun:test';
import { configOf } from '../config/testing/config-of.ts';
import { buildProviders } from './build-providers.ts';
import type { ProviderSurroundings } from './provider-surroundings.ts';

const config = configOf('');
const simulator = { url: 'http://127.0.0.1:1', apiKey: 'simulator-key' };

const key = 'dummy-key';
const azure = 'https://example.openai.azure.com';

/** The variables of the vendor's own tools, and the resulting address. */
const table: [id: string, environment: Record<string, string>, baseUrl: string][] = [
  ['openai', { OPENAI_API_KEY: key }, 'https://api.openai.com/v1'],
  ['anthropic', { ANTHROPIC_API_KEY: key }, 'https://api.anthropic.com/v1'],
  ['google', { GEMINI_API_KEY: key }, 'https://generativelanguage.googleapis.com/v1beta'],
  ['google', { GOOGLE_API_KEY: key }, 'https://generativelanguage.googleapis.com/v1beta'],
  ['bedrock', { AWS_BEARER_TOKEN_BEDROCK: key }, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  [
    'bedrock',
    { AWS_BEARER_TOKEN_BEDROCK: key, AWS_REGION: 'eu-west-1' },
    'https://bedrock-runtime.eu-west-1.amazonaws.com',
  ],
  ['azure', { AZURE_OPENAI_API_KEY: key, AZURE_OPENAI_ENDPOINT: `${azure}/` }, `${azure}/openai/v1`],
  ['groq', { GROQ_API_KEY: key }, 'https://api.groq.com/openai/v1'],
  ['together', { TOGETHER_API_KEY: key }, 'https://api.together.xyz/v1'],
  ['fireworks', { FIREWORKS_API_KEY: key }, 'https://api.fireworks.ai/inference/v1'],
  ['deepseek', { DEEPSEEK_API_KEY: key }, 'https://api.deepseek.com/v1'],
  ['mistral', { MISTRAL_API_KEY: key }, 'https://api.mistral.ai/v1'],
  ['xai', { XAI_API_KEY: key }, 'https://api.x.ai/v1'],
  ['openrouter', { OPENROUTER_API_KEY: key }, 'https://openrouter.ai/api/v1'],
  ['cerebras', { CEREBRAS_API_KEY: key }, 'https://api.cerebras.ai/v1'],
  ['moonshot', { MOONSHOT_API_KEY: key }, 'https://api.moonshot.ai/v1'],
  ['alibaba', { DASHSCOPE_API_KEY: key }, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'],
  ['zai', { ZAI_API_KEY: key }, 'https://api.z.ai/api/paas/v4'],
  ['minimax', { MINIMAX_API_KEY: key }, 'https://api.minimax.io/v1'],
  ['cohere', { COHERE_API_KEY: key }, 'https://api.cohere.ai/compatibility/v1'],
  ['perplexity', { PERPLEXITY_API_KEY: key }, 'https://api.perplexity.ai'],
  ['nvidia', { NVIDIA_API_KEY: key }, 'https://integrate.api.nvidia.com/v1'],
  ['deepinfra', { DEEPINFRA_API_KEY: key }, 'https://api.deepinfra.com/v1/openai'],
  ['ollama', { OLLAMA_HOST: '127.0.0.1' }, 'http://127.0.0.1:11434/v1'],
  ['ollama', { OLLAMA_HOST: '0.0.0.0:4711' }, 'http://127.0.0.1:4711/v1'],
  ['ollama', { OLLAMA_HOST: 'https://models.example.com/ollama/' }, 'https://models.example.com/ollama/v1'],
  ['ollama', { OLLAMA_HOST: 'models.lan:80/' }, 'http://models.lan/v1'],
  ['ollama', { OLLAMA_HOST: ':4711' }, 'http://127.0.0.1:4711/v1'],
  ['ollama', { OLLAMA_HOST: 'http://:4711/' }, 'http://127.0.0.1:4711/v1'],
  ['ollama', { OLLAMA_HOST: '::' }, 'http://127.0.0.1:11434/v1'],
  ['ollama', { OLLAMA_HOST: '[::]:4711' }, 'http://127.0.0.1:4711/v1'],
  ['ollama', { OLLAMA_HOST: '::1' }, 'http://[::1]:11434/v1'],
  ['vllm', { VLLM_BASE_URL: 'gpu:80/v1' }, 'http://gpu/v1'],
  ['vllm', { VLLM_BASE_URL: 'gpu/v1' }, 'http://gpu:8000/v1'],
  ['vllm', { VLLM_BASE_URL: 'http://gpu:8000/v1' }, 'http://gpu:8000/v1'],
  ['llama.cpp', { LLAMA_CPP_BASE_URL: 'http://[::1]:8081' }, 'http://[::1]:8081/v1'],
];

/** The same host, whose other API has another address. */
const sameKey: Record<string, string[]> = { cohere: ['cohere-rerank'] };

for (const [id, environment, baseUrl] of table) {
  test(`${Object.keys(environment).join(' and ')} activate only ${id}, at ${baseUrl}`, () => {
    const providers = [...buildProviders(config, { environment, simulator }).values()];
    const live = providers.filter(({ mode }) => mode === 'live');
    expect(live[0]).toMatchObject({ id, baseUrl, source: 'environment' });
    expect(live.map((provider) => provider.id)).toEqual([id, ...(sameKey[id] ?? [])]);
    const isLocal = /^(ollama|vllm|llama\.cpp)$/.test(id);
    expect(live[0]!.apiKey).toBe(isLocal ? null : key);
    expect(live[0]!.missingVariables).toEqual([]);
    for (const { mode, missingVariables } of providers)
      if (mode !== 'live') {
        expect(mode).toBe('not-set-up');
        expect(missingVariables).not.toContain('AWS_REGION');
      }
  });
}

test("sends a local server's key only to its configured address", () => {
  const keys = { OLLAMA_API_KEY: key, VLLM_API_KEY: key, LLAMA_API_KEY: key };
  const found = new Set(['ollama', 'vllm', 'llama.cpp']);
  const guessed = buildProviders(config, { environment: keys, simulator, found });
  for (const id of found)
    expect(guessed.get(id)).toMatchObject({ mode: 'live', source: 'found', apiKey: null });
  const environment = { ...keys, VLLM_BASE_URL: 'http://gpu:8000' };
  expect(buildProviders(config, { environment, simulator }).get('vllm')).toMatchObject({ apiKey: key });
});

for (const address of ['', ' ', 'http://', 'ftp://gpu:1', 'a b', ':', ':0', 'gpu:0', 'gpu:99999']) {
  test(`activates no local server for the invalid address '${address}'`, () => {
    const environment = { VLLM_BASE_URL: address, OLLAMA_HOST: address };
    const providers = buildProviders(config, { environment, simulator });
    expect([...providers.values()].filter(({ mode }) => mode === 'live')).toEqual([]);
  });
}

describe('the simulator in mode auto', () => {
  const modeOf = (id: string, around: Partial<ProviderSurroundings> = {}, settings = config) =>
    buildProviders(settings, { environment: {}, simulator, ...around }).get(id)?.mode;

  test('stands in for every provider while none is live', () => {
    for (const id of ['openai', 'bedrock', 'simulator']) expect(modeOf(id)).toBe('simulated');
    // A local server that was found without models serves nothing that the simulator could mix with.
    expect(modeOf('openai', { found: new Set(['ollama']) })).toBe('simulated');
  });

  test('serves nothing once a local server has offered models, even if it is gone', () => {
    for (const id of ['openai', 'simulator'])
      expect(modeOf(id, { hasServedLocally: true })).toBe('not-set-up');
  });

  test('serves nothing if the file routes to a local server, even if it is not running', () => {
    const config = configOf(WITH_LOCAL_ROUTE);
    expect(modeOf('ollama', {}, config)).toBe('not-set-up');
    expect(modeOf('openai', {}, config)).toBe('not-set-up');
  });
});

const WITH_LOCAL_ROUTE = `
catalog:
  models:
    - id: mine
      plan: free
      context_window: 8192
      pricing_usd_per_mtok: { input: 1, output: 1 }
      routes: [{ provider: ollama, model: x }]
`;

test('a provider without credentials has the address that it would have with them', () => {
  const provider = buildProviders(config, { environment: { AWS_REGION: 'eu-west-1' }, simulator: null });
  expect(provider.get('bedrock')?.baseUrl).toBe('https://bedrock-runtime.eu-west-1.amazonaws.com');
});

const missing: [id: string, environment: Record<string, string>, variables: string[]][] = [
  ['google', {}, ['GEMINI_API_KEY']],
  ['bedrock', {}, ['AWS_BEARER_TOKEN_BEDROCK']],
  ['azure', {}, ['AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT']],
  ['azure', { AZURE_OPENAI_ENDPOINT: azure }, ['AZURE_OPENAI_API_KEY']],
  ['azure', { AZURE_OPENAI_API_KEY: key, AZURE_OPENAI_ENDPOINT: 'nonsense' }, ['AZURE_OPENAI_ENDPOINT']],
  ['azure-dated', { AZURE_OPENAI_API_KEY: key, AZURE_OPENAI_ENDPOINT: azure }, ['OPENAI_API_VERSION']],
];

test.each(
  missing,
)('%s with %o names the required variables that are missing', (id, environment, variables) => {
  const provider = buildProviders(config, { environment, simulator: null }).get(id);
  expect(provider).toMatchObject({ mode: 'not-set-up', missingVariables: variables });
});

test.each([
  [{}, 'GOOGLE_CLOUD_PROJECT'],
  [{ GOOGLE_CLOUD_PROJECT: 'not a project' }, 'GOOGLE_CLOUD_PROJECT'],
  [{ GOOGLE_CLOUD_PROJECT: 'our-project', GOOGLE_CLOUD_LOCATION: 'not a region' }, 'GOOGLE_CLOUD_LOCATION'],
])('vertex names the variable that is missing or invalid: %p', (environment, name) => {
  const vertex = buildProviders(config, { environment, simulator }).get('vertex');
  expect(vertex).toMatchObject({ missingVariables: [name] });
});
