import type { AskServer } from './ask-local-server.ts';
import { asTokens, type LocalModel, SMALLEST_WINDOW } from './local-model.ts';

type Shown = { capabilities?: unknown; model_info?: Record<string, unknown>; parameters?: unknown };

/** Each model is asked for by itself: who keeps more has them named in the configuration. */
const MOST_MODELS = 100;

/** What Ollama keeps; undefined where somebody else answers. */
export async function readOllama(ask: AskServer): Promise<LocalModel[] | undefined> {
  const listed = (await ask('/api/tags')) as { models?: unknown } | undefined;
  if (!Array.isArray(listed?.models)) return undefined;
  const names = listed.models
    .map((row) => row?.model ?? row?.name)
    .filter((name) => typeof name === 'string');
  const models: LocalModel[] = [];
  for (const name of names.slice(0, MOST_MODELS)) {
    const model = modelOf(name, (await ask('/api/show', { model: name })) as Shown | null | undefined);
    if (model) models.push(model);
  }
  return models;
}

/** Undefined for what neither talks nor makes vectors. Older servers tell no capabilities: all their models talk. */
function modelOf(name: string, told: Shown | null | undefined): LocalModel | undefined {
  const shown = told ?? {};
  const able: unknown[] = Array.isArray(shown.capabilities) ? shown.capabilities : ['completion'];
  const isChat = able.includes('completion');
  const outputDimensions = isChat ? null : figureOf(shown, '.embedding_length');
  if (outputDimensions === undefined || !(isChat || able.includes('embedding'))) return undefined;
  return {
    name,
    outputDimensions,
    contextWindow: setWindow(shown) ?? figureOf(shown, '.context_length') ?? SMALLEST_WINDOW,
    capabilities: {
      tools: able.includes('tools'),
      reasoning: able.includes('thinking'),
      vision: able.includes('vision'),
    },
  };
}

/** Fields of a model's file are named after its architecture: `llama.context_length`. */
function figureOf({ model_info: info }: Shown, ending: string): number | undefined {
  return asTokens(Object.entries(info ?? {}).find(([name]) => name.endsWith(ending))?.[1]);
}

/** Where the model's own settings say less than it was made for. */
const setWindow = ({ parameters }: Shown): number | undefined =>
  asTokens(Number(/^num_ctx\s+(\d+)/m.exec(String(parameters ?? ''))?.[1]));
