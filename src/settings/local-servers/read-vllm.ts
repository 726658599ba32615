import type { AskServer } from './create-server-asker.ts';
import { listOwnedModels } from './list-owned-models.ts';
import { asTokens, type LocalModel, MIN_WINDOW } from './local-model.ts';

/**
 * Lists the models of vLLM. Returns undefined if another program answers. vLLM reports no capabilities; it
 * refuses unsupported requests itself.
 */
export async function readVllm(ask: AskServer): Promise<LocalModel[] | undefined> {
  const rows = await listOwnedModels<{ max_model_len?: unknown }>(ask, 'vllm');
  return rows?.map(({ id, max_model_len: window }) => ({
    name: id,
    outputDimensions: null,
    contextWindow: asTokens(window) ?? MIN_WINDOW,
    capabilities: { tools: true, reasoning: false, vision: false },
  }));
}
