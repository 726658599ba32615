import type { AskServer } from './create-server-asker.ts';
import { asTokens, type LocalModel, MIN_WINDOW } from './local-model.ts';

type Row = { id?: unknown; owned_by?: unknown; max_model_len?: unknown };

/**
 * Lists the models of vLLM. Returns undefined if another program answers. vLLM reports no capabilities; it
 * refuses unsupported requests itself.
 */
export async function readVllm(ask: AskServer): Promise<LocalModel[] | undefined> {
  const list = (await ask('/v1/models')) as { data?: unknown } | undefined;
  if (!Array.isArray(list?.data)) return undefined;
  const rows = (list.data as Row[]).filter((row) => row?.owned_by === 'vllm' && typeof row.id === 'string');
  if (rows.length === 0) return undefined;
  return rows.map(({ id, max_model_len: window }) => ({
    name: id as string,
    outputDimensions: null,
    contextWindow: asTokens(window) ?? MIN_WINDOW,
    capabilities: { tools: true, reasoning: false, vision: false },
  }));
}
