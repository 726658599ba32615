import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { sendOwnRequest } from '../../../upstream/calling/send-own-request.ts';
import { type Finding, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** The windows that a server reports, by its names of models. */
type Windows = Map<string, number>;

/** The members of a list of models that hold the window, the one in force first. */
// biome-ignore format: a line for each group
const members = [
  'loaded_context_length', 'max_model_len', 'context_window', 'max_context_length', 'context_length',
  'inputTokenLimit', 'max_input_tokens',
];

/**
 * Servers whose list of models does not have the window in force, by the list's `owned_by`. Paths are
 * relative to the root of the server. Ollama reports it only for models that are loaded.
 */
const elsewhere: Readonly<
  Record<string, { path: string; read: (answer: unknown, listed: string[]) => [string, unknown][] }>
> = {
  llamacpp: {
    path: '/props',
    read: (answer, [only, ...others]) =>
      only === undefined || others.length > 0
        ? []
        : [[ANY, objectOf(objectOf(answer)['default_generation_settings'])['n_ctx']]],
  },
  library: {
    path: '/api/ps',
    read: (answer) =>
      listOf(objectOf(answer)['models']).map((model) => {
        const { name, context_length } = objectOf(model);
        return [textOf(name) ?? '', context_length];
      }),
  },
};

/** A server with one model answers to any name. */
const ANY = '*';

/**
 * Warns of each row of the catalog whose window is larger than that of the server behind it.
 * `replies`: what the server answered.
 */
export async function compareWindows(
  provider: Provider,
  catalog: readonly CatalogEntry[],
  replies: readonly string[],
): Promise<Finding[]> {
  const models = replies.flatMap(modelsIn);
  if (models.length === 0) return [];
  const windows = await windowsOf(provider, models);
  return catalog.flatMap(({ model, targets }) =>
    targets
      .filter((target) => target.provider.id === provider.id)
      .flatMap(({ upstreamModel }) => {
        const window =
          windows.get(upstreamModel) ?? windows.get(`${upstreamModel}:latest`) ?? windows.get(ANY);
        return window === undefined || window >= model.contextWindow
          ? []
          : [tooLarge(provider, { id: model.id, answer: model.contextWindow, upstreamModel, window })];
      }),
  );
}

type Row = { id: string; answer: number; upstreamModel: string; window: number };

const tooLarge = (provider: Provider, { id, answer, upstreamModel, window }: Row): Finding =>
  warn(
    'live',
    `${provider.id} takes ${window} tokens with ${upstreamModel}, and the row of ${id} has a window of ${answer}`,
    `set context_window of ${id} to ${window}, or raise the limit of the server`,
  );

/** Hosts send the list bare, under `data` or under `models`. */
function modelsIn(text: string): Record<string, unknown>[] {
  try {
    const answer: unknown = JSON.parse(text);
    const list = Array.isArray(answer) ? answer : (objectOf(answer)['data'] ?? objectOf(answer)['models']);
    return listOf(list).map(objectOf);
  } catch {
    return [];
  }
}

async function windowsOf(provider: Provider, models: readonly Record<string, unknown>[]): Promise<Windows> {
  const windows: Windows = new Map();
  const note = (name: string, window: unknown): void => {
    if (typeof window === 'number' && window > 0) windows.set(name, window);
  };
  for (const model of models) {
    const window = members.map((name) => model[name]).find((value) => typeof value === 'number');
    note(nameOf(model), window ?? objectOf(model['meta'])['n_ctx']);
  }
  const server = lookUp(elsewhere, textOf(models[0]!['owned_by']));
  if (server)
    for (const [name, window] of server.read(await readRoot(provider, server.path), models.map(nameOf)))
      note(name, window);
  return windows;
}

const nameOf = ({ id, name }: Record<string, unknown>): string =>
  (textOf(id) ?? textOf(name) ?? '').replace(/^models\//, '');

/**
 * Reads from the root of a server, above the path of its API. Returns undefined if it does not answer there.
 */
async function readRoot(provider: Provider, path: string): Promise<unknown> {
  const root = { ...provider, baseUrl: provider.baseUrl.replace(/\/v1\/?$/, '') };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await sendOwnRequest(root, { wire: provider.wires[0]!, path, signal });
    return await response.json();
  } catch {
    return undefined;
  }
}
