import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { RefusedPreference, RefusedRequirement } from '../../translation/canonical/refused-word.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/upstream-key-header.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** A built-in host. Its usual environment variable enables it. */
export type Host = {
  id: string;
  wires: readonly Wire[];
  /** `{NAME}` is a required environment variable, `{NAME:-text}` one with a default. */
  baseUrl: string;
  keyVariables: readonly string[];
  /** The header of the key, if it differs from the usual header of the wire. */
  keyHeader?: UpstreamKeyHeader;
  quirks?: readonly Quirk[];
  /** The words of a `refuses` list that the host refuses of every model. */
  refuses?: readonly (RefusedPreference | RefusedRequirement)[];
  /** Query parameters of every request, with variables as in the address. */
  query?: Readonly<Record<string, string>>;
  /** The cloud whose credentials the host takes in place of a key. */
  cloud?: 'google';
};

const chat: readonly Wire[] = ['openai-chat'];
const chatAndEmbeddings: readonly Wire[] = ['openai-chat', 'openai-embeddings'];

/**
 * The built-in hosts. The values come from the vendors' API references and from observed refusals of their
 * servers.
 */
export const hosts: readonly Host[] = [
  {
    id: 'openai',
    wires: [
      'openai-chat',
      'openai-responses',
      'openai-embeddings',
      'openai-images',
      'openai-audio',
      'openai-moderations',
    ],
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    // Reasoning models refuse the old name, and all models accept the new one.
    quirks: ['max-completion-tokens-only'],
  },
  {
    id: 'anthropic',
    wires: ['anthropic-messages'],
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
  },
  {
    id: 'google',
    wires: ['google-generate', 'google-interactions', 'google-embeddings'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  {
    // Its region is a part of its address, and its project of its paths.
    id: 'vertex',
    wires: ['google-generate', 'anthropic-messages'],
    baseUrl: 'https://aiplatform.googleapis.com/v1',
    keyVariables: ['GOOGLE_CLOUD_PROJECT'],
    cloud: 'google',
  },
  {
    id: 'bedrock',
    wires: ['bedrock-converse'],
    baseUrl: 'https://bedrock-runtime.{AWS_REGION:-us-east-1}.amazonaws.com',
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
  },
  {
    // Models have the names of the operator's deployments, so the operator configures the targets.
    id: 'azure',
    wires: ['openai-chat', 'openai-responses', 'openai-embeddings'],
    baseUrl: '{AZURE_OPENAI_ENDPOINT}/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    keyHeader: 'api-key',
    quirks: ['max-completion-tokens-only'],
  },
  {
    // The same host with a dated API version, which older resources need.
    id: 'azure-dated',
    wires: chatAndEmbeddings,
    baseUrl: '{AZURE_OPENAI_ENDPOINT}/openai',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    keyHeader: 'api-key',
    quirks: ['deployment-in-path', 'max-completion-tokens-only'],
    query: { 'api-version': '{OPENAI_API_VERSION}' },
  },
  {
    id: 'groq',
    wires: ['openai-chat', 'openai-audio'],
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    quirks: ['no-developer-role'],
    refuses: ['logit_bias', 'logprobs'], // https://console.groq.com/docs/openai
  },
  {
    id: 'together',
    wires: [...chatAndEmbeddings, 'openai-images', 'openai-audio', 'cohere-rerank'],
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    quirks: ['max-tokens-only', 'no-developer-role'],
  },
  {
    id: 'fireworks',
    wires: chatAndEmbeddings,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    quirks: ['no-developer-role'],
  },
  {
    id: 'deepseek',
    wires: chat,
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    // With tools, the thinking of every earlier turn is required:
    // https://api-docs.deepseek.com/guides/thinking_mode
    quirks: [
      'thinking-in-ceiling',
      'thinking-by-type',
      'max-tokens-only',
      'no-developer-role',
      'replays-reasoning',
    ],
  },
  {
    id: 'mistral',
    wires: chatAndEmbeddings,
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    // Mistral answers 422 to unknown fields, and reports the usage of streams without a request for it.
    quirks: [
      'max-tokens-only',
      'no-stream-options',
      'random-seed',
      'no-developer-role',
      'rejects-unknown-fields',
      'thinking-in-content',
    ],
  },
  {
    id: 'xai',
    wires: ['openai-chat', 'openai-images'],
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
  },
  {
    id: 'openrouter',
    wires: chat,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    quirks: ['thinking-by-reasoning'],
  },
  {
    id: 'cerebras',
    wires: chat,
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    quirks: ['max-completion-tokens-only', 'no-developer-role'],
    refuses: ['penalties', 'logit_bias'], // https://inference-docs.cerebras.ai/resources/openai
  },
  {
    id: 'moonshot',
    wires: chat,
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    quirks: ['thinking-in-ceiling', 'thinking-by-type', 'max-tokens-only', 'no-developer-role'],
    // Kimi has one value of each: https://platform.kimi.ai/docs/api/models-overview
    refuses: ['temperature', 'top_p', 'penalties'],
  },
  {
    id: 'alibaba',
    wires: chat,
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariables: ['DASHSCOPE_API_KEY'],
    quirks: ['thinking-by-flag', 'max-tokens-only', 'no-developer-role'],
  },
  {
    id: 'zai',
    wires: chat,
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
    quirks: ['thinking-by-type', 'max-tokens-only', 'no-developer-role'],
  },
  { id: 'minimax', wires: chat, baseUrl: 'https://api.minimax.io/v1', keyVariables: ['MINIMAX_API_KEY'] },
  {
    id: 'cohere',
    wires: chat,
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    keyVariables: ['COHERE_API_KEY'],
    quirks: ['max-tokens-only', 'no-parallel-tool-calls'],
  },
  {
    // The same host, whose own API has a different address.
    id: 'cohere-rerank',
    wires: ['cohere-rerank'],
    baseUrl: 'https://api.cohere.com/v2',
    keyVariables: ['COHERE_API_KEY'],
  },
  {
    id: 'perplexity',
    wires: chat,
    baseUrl: 'https://api.perplexity.ai',
    keyVariables: ['PERPLEXITY_API_KEY'],
    quirks: ['max-tokens-only', 'no-developer-role', 'no-parallel-tool-calls'],
  },
  {
    id: 'nvidia',
    wires: chat,
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyVariables: ['NVIDIA_API_KEY'],
    quirks: ['max-tokens-only', 'no-developer-role'],
  },
  {
    id: 'deepinfra',
    wires: [...chatAndEmbeddings, 'openai-images', 'openai-audio'],
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    keyVariables: ['DEEPINFRA_API_KEY'],
    quirks: ['max-tokens-only'],
  },
];
