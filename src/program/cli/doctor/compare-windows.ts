import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import type { SmallReply } from '../../../upstream/calling/ask-small.ts';
import { sendOwnRequest } from '../../../upstream/calling/send-own-request.ts';
import { type Finding, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** A server with one model answers to any name. */
const ANY = '*';

/** The members of a list of models that hold the window, the one in force first. */
// biome-ignore format: a line for each group
const WINDOW_MEMBERS = [
  'loaded_context_length', 'max_model_len', 'context_window', 'max_context_length', 'context_length',
  'inputTokenLimit', 'max_input_tokens',
];

/** A model's name on the server, with the value that the server reports for its window. */
type Reported = [name: string, window: unknown];

type OtherSource = {
  /** The path, from the root of the server. */
  path: string;
  read: (answer: JsonObject, listed: readonly string[]) => Reported[];
};

/**
 * Servers whose list of models does not have the window in force, by the list's `owned_by`. Ollama reports it
 * only for models that are loaded.
 */
const otherSources: Readonly<Record<string, OtherSource>> = {
  llamacpp: {
    path: '/props',
    read: (answer, listed) =>
      listed.length === 1 ? [[ANY, objectOf(answer['default_generation_settings'])['n_ctx']]] : [],
  },
  library: {
    path: '/api/ps',
    read: (answer) =>
      listOf(answer['models']).map((model): Reported => {
        const { name, context_length } = objectOf(model);
        return [textOf(name) ?? '', context_length];
      }),
  },
};

/**
 * Warns of each row of the catalog whose window is larger than the window of its server. The replies with a
 * list of models report the windows.
 */
export async function compareWindows(
  provider: Provider,
  catalog: readonly CatalogEntry[],
  replies: readonly SmallReply[],
): Promise<Finding[]> {
  const models = replies.flatMap(({ text }) => modelsIn(text));
  if (models.length === 0) return [];
  const windows = await windowsOf(provider, models);
  return catalog.flatMap(({ model: { id, contextWindow }, targets }) =>
    targets
      .filter((target) => target.provider.id === provider.id)
      .flatMap(({ upstreamModel }) => {
        const served =
          windows.get(upstreamModel) ?? windows.get(`${upstreamModel}:latest`) ?? windows.get(ANY);
        return served === undefined || served >= contextWindow
          ? []
          : [tooLarge(provider, { id, configured: contextWindow, upstreamModel, served })];
      }),
  );
}

type Row = { id: string; configured: number; upstreamModel: string; served: number };

const tooLarge = (provider: Provider, { id, configured, upstreamModel, served }: Row): Finding =>
  warn(
    'live',
    `${provider.id} takes ${served} tokens with ${upstreamModel}, and the row of ${id} has a window of ${configured}`,
    `set context_window of ${id} to ${served}, or raise the limit of the server`,
  );

/** Hosts send the list bare, under `data` or under `models`. */
function modelsIn(text: string): JsonObject[] {
  try {
    const answer: unknown = JSON.parse(text);
    const list = Array.isArray(answer) ? answer : (objectOf(answer)['data'] ?? objectOf(answer)['models']);
    return listOf(list).map(objectOf);
  } catch {
    return [];
  }
}

/** Returns the windows by the server's names of models. Another source overrides the list. */
async function windowsOf(
  provider: Provider,
  models: readonly JsonObject[],
): Promise<ReadonlyMap<string, number>> {
  const listedWindows = models.map((model): Reported => [nameOf(model), listedWindow(model)]);
  const source = lookUp(otherSources, textOf(models[0]?.['owned_by']));
  const answer = source && objectOf(await readRoot(provider, source.path));
  const inForce = source && answer ? source.read(answer, models.map(nameOf)) : [];
  return new Map([...listedWindows, ...inForce].filter(isWindow));
}

const listedWindow = (model: JsonObject): unknown =>
  WINDOW_MEMBERS.map((name) => model[name]).find((value) => typeof value === 'number') ??
  objectOf(model['meta'])['n_ctx'];

const isWindow = (reported: Reported): reported is [name: string, window: number] =>
  typeof reported[1] === 'number' && reported[1] > 0;

const nameOf = ({ id, name }: JsonObject): string =>
  (textOf(id) ?? textOf(name) ?? '').replace(/^models\//, '');

/**
 * Reads from the root of a server, above the path of its API. Returns undefined if it does not answer there.
 */
async function readRoot(provider: Provider, path: string): Promise<unknown> {
  const root = { ...provider, baseUrl: provider.baseUrl.replace(/\/v1\/?$/, '') };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // Every provider has a wire.
    const response = await sendOwnRequest(root, { wire: provider.wires[0]!, path, signal });
    return await response.json();
  } catch {
    return undefined;
  }
}
