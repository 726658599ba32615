import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** A program that serves models on the gateway's machine. */
export type LocalHost = {
  id: string;
  /** The name of its address in the configuration. */
  setting: 'ollama' | 'vllm' | 'llama_cpp';
  /** The variable that overrides the address and enables the host, even if it is not running. */
  addressVariable: string;
  /** The variable of the key. The key is sent only to an address that the operator configured. */
  keyVariable: string;
  /** The port of an address without one. */
  port: number;
  wires: readonly Wire[];
  quirks: readonly Quirk[];
};

const wires: readonly Wire[] = ['openai-chat', 'openai-embeddings'];

/** The known model servers. They have no `developer` role, and their ceilings include thinking. */
export const localHosts = [
  {
    id: 'ollama',
    setting: 'ollama',
    addressVariable: 'OLLAMA_HOST',
    keyVariable: 'OLLAMA_API_KEY',
    port: 11_434,
    wires,
    quirks: ['max-tokens-only', 'no-developer-role', 'thinking-in-ceiling'],
  },
  {
    id: 'vllm',
    setting: 'vllm',
    addressVariable: 'VLLM_BASE_URL',
    keyVariable: 'VLLM_API_KEY',
    port: 8_000,
    wires,
    quirks: ['no-developer-role', 'thinking-in-ceiling'],
  },
  {
    id: 'llama.cpp',
    setting: 'llama_cpp',
    addressVariable: 'LLAMA_CPP_BASE_URL',
    keyVariable: 'LLAMA_API_KEY',
    port: 8_080,
    wires,
    quirks: ['max-tokens-only', 'no-developer-role', 'thinking-in-ceiling'],
  },
] as const satisfies readonly LocalHost[];

export type LocalHostId = (typeof localHosts)[number]['id'];
