import type { Wire } from '../canonical/wire.ts';

/** A host that we know by name: switched on by its usual environment variable. */
export type Host = { id: string; wires: readonly Wire[]; baseUrl: string; keyVariables: readonly string[] };

const chat: readonly Wire[] = ['openai-chat'];
const chatAndEmbeddings: readonly Wire[] = ['openai-chat', 'openai-embeddings'];

const row = (id: string, wires: readonly Wire[], baseUrl: string, ...keyVariables: string[]): Host => ({
  id,
  wires,
  baseUrl,
  keyVariables,
});

/** Addresses from the makers' own API references. */
export const hosts: readonly Host[] = [
  row(
    'openai',
    ['openai-chat', 'openai-responses', 'openai-embeddings'],
    'https://api.openai.com/v1',
    'OPENAI_API_KEY',
  ),
  row('anthropic', ['anthropic-messages'], 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'),
  row(
    'google',
    ['google-generate'],
    'https://generativelanguage.googleapis.com/v1beta',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
  ),
  row(
    'bedrock',
    ['bedrock-converse'],
    'https://bedrock-runtime.us-east-1.amazonaws.com',
    'AWS_BEARER_TOKEN_BEDROCK',
  ),
  row('groq', chat, 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  row('together', chatAndEmbeddings, 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  row('fireworks', chatAndEmbeddings, 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  row('deepseek', chat, 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  row('mistral', chatAndEmbeddings, 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  row('xai', chat, 'https://api.x.ai/v1', 'XAI_API_KEY'),
  row('openrouter', chat, 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  row('cerebras', chat, 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  row('moonshot', chat, 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  row('alibaba', chat, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  row('zai', chat, 'https://api.z.ai/api/paas/v4', 'ZAI_API_KEY', 'ZHIPU_API_KEY'),
  row('minimax', chat, 'https://api.minimax.io/v1', 'MINIMAX_API_KEY'),
  row('cohere', chat, 'https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY'),
  row('perplexity', chat, 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'),
  row('nvidia', chat, 'https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY'),
  row('deepinfra', chatAndEmbeddings, 'https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
];
