import type { AskServer } from './create-server-asker.ts';
import { asTokens, type LocalModel, MIN_WINDOW } from './local-model.ts';

type OllamaModel = { capabilities?: unknown; model_info?: Record<string, unknown>; parameters?: unknown };

/** The maximum number of models, since each one takes a request. Further models must be configured. */
const MAX_MODELS = 100;

/** Lists the models of Ollama. Returns undefined if another program answers. */
export async function readOllama(ask: AskServer): Promise<LocalModel[] | undefined> {
  const listed = (await ask('/api/tags')) as { models?: unknown } | undefined;
  if (!Array.isArray(listed?.models)) return undefined;
  const names = listed.models
    .map((row) => row?.model ?? row?.name)
    .filter((name) => typeof name === 'string');
  const models: LocalModel[] = [];
  for (const name of names.slice(0, MAX_MODELS)) {
    const model = modelOf(name, (await ask('/api/show', { model: name })) as OllamaModel | null | undefined);
    if (model) models.push(model);
  }
  return models;
}

/**
 * Reads a model. Returns undefined if it is neither a chat nor an embedding model.
 * Models without reported capabilities are chat models.
 */
function modelOf(name: string, description: OllamaModel | null | undefined): LocalModel | undefined {
  const shown = description ?? {};
  const able: unknown[] = Array.isArray(shown.capabilities) ? shown.capabilities : ['completion'];
  const isChat = able.includes('completion');
  const outputDimensions = isChat ? null : figureOf(shown, '.embedding_length');
  if (outputDimensions === undefined || !(isChat || able.includes('embedding'))) return undefined;
  return {
    name,
    outputDimensions,
    contextWindow: setWindow(shown) ?? figureOf(shown, '.context_length') ?? MIN_WINDOW,
    capabilities: {
      tools: able.includes('tools'),
      reasoning: able.includes('thinking'),
      vision: able.includes('vision'),
    },
  };
}

/** Finds a field whose prefix is the model's architecture, for example `llama.context_length`. */
function figureOf({ model_info: info }: OllamaModel, ending: string): number | undefined {
  return asTokens(Object.entries(info ?? {}).find(([name]) => name.endsWith(ending))?.[1]);
}

/** Reads the context window from the model's settings, if they lower it. */
const setWindow = ({ parameters }: OllamaModel): number | undefined =>
  asTokens(Number(/^num_ctx\s+(\d+)/m.exec(String(parameters ?? ''))?.[1]));
