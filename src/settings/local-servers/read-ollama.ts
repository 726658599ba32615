import type { AskServer } from './create-server-asker.ts';
import { asTokens, type LocalModel, MIN_WINDOW } from './local-model.ts';

type OllamaModel = { capabilities?: unknown; model_info?: Record<string, unknown>; parameters?: unknown };

/** The maximum number of models, since each one takes a request. Further models must be configured. */
const MAX_MODELS = 100;

/** Lists the models of Ollama. Returns undefined if another program answers. */
export async function readOllama(ask: AskServer): Promise<LocalModel[] | undefined> {
  const list = (await ask('/api/tags')) as { models?: unknown } | undefined;
  if (!Array.isArray(list?.models)) return undefined;
  const names = list.models.map((row) => row?.model ?? row?.name).filter((name) => typeof name === 'string');
  const models: LocalModel[] = [];
  for (const name of names.slice(0, MAX_MODELS)) {
    const description = (await ask('/api/show', { model: name })) as OllamaModel | null | undefined;
    const model = modelOf(name, description ?? {});
    if (model) models.push(model);
  }
  return models;
}

/**
 * Reads a model. Returns undefined if it is neither a chat nor an embedding model. Models without reported
 * capabilities are chat models.
 */
function modelOf(name: string, description: OllamaModel): LocalModel | undefined {
  const capabilities: unknown[] = Array.isArray(description.capabilities)
    ? description.capabilities
    : ['completion'];
  const isChat = capabilities.includes('completion');
  const outputDimensions = isChat ? null : figureOf(description, '.embedding_length');
  if (outputDimensions === undefined || !(isChat || capabilities.includes('embedding'))) return undefined;
  return {
    name,
    outputDimensions,
    contextWindow: loweredWindow(description) ?? figureOf(description, '.context_length') ?? MIN_WINDOW,
    capabilities: {
      tools: capabilities.includes('tools'),
      reasoning: capabilities.includes('thinking'),
      vision: capabilities.includes('vision'),
    },
  };
}

/** Finds a field whose prefix is the model's architecture, for example `llama.context_length`. */
function figureOf({ model_info: info }: OllamaModel, ending: string): number | undefined {
  return asTokens(Object.entries(info ?? {}).find(([name]) => name.endsWith(ending))?.[1]);
}

/** Reads the context window from the model's settings, if they lower it. */
const loweredWindow = ({ parameters }: OllamaModel): number | undefined =>
  asTokens(Number(/^num_ctx\s+(\d+)/m.exec(String(parameters ?? ''))?.[1]));
