import type { AskServer } from './create-server-asker.ts';
import { listOwnedModels } from './list-owned-models.ts';
import { asTokens, type LocalModel, MIN_WINDOW } from './local-model.ts';

type Details = { meta?: { n_ctx_train?: unknown } | null };
type Properties = {
  default_generation_settings?: { n_ctx?: unknown };
  modalities?: { vision?: unknown };
};

/** Lists the models of llama.cpp. Returns undefined if another program answers. */
export async function readLlamaCpp(ask: AskServer): Promise<LocalModel[] | undefined> {
  const rows = await listOwnedModels<Details>(ask, 'llamacpp');
  if (rows === undefined) return undefined;
  const properties = (await ask('/props')) as Properties | undefined;
  // The window that the server was started with counts, not the window of the model.
  const servedWindow = asTokens(properties?.default_generation_settings?.n_ctx);
  return rows.map(({ id, meta }) => ({
    name: id,
    outputDimensions: null,
    contextWindow: servedWindow ?? asTokens(meta?.n_ctx_train) ?? MIN_WINDOW,
    capabilities: { tools: true, reasoning: false, vision: properties?.modalities?.vision === true },
  }));
}
