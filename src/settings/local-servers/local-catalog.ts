import type { Names } from '../../base/lib/names.ts';
import type { CatalogFile, CatalogModelRow } from '../config/catalog-schema.ts';
import type { FoundServers } from './found-servers.ts';
import type { LocalModel } from './local-model.ts';

/** The parts of the catalog that are independent of local servers. */
export type OwnCatalog = {
  names: Names;
  isTaken(spelling: string): boolean;
  /** Reports whether the catalog already has a target of the model. The operator has then described it. */
  isRouted(provider: string, upstreamModel: string): boolean;
};

const BARE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const MODEL_NAME = /^@?[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;
/** The Unix time of every local model, since local servers report none. */
const CREATED_S = 1_700_000_000;

/** Builds catalog rows for the models of local servers, under names that are not in use. */
export function localCatalog(found: FoundServers, { names, isTaken, isRouted }: OwnCatalog): CatalogFile {
  const usedNames = new Set<string>();
  const isFree = (spelling: string) => !usedNames.has(spelling) && !isTaken(spelling);
  const models: CatalogModelRow[] = [];
  for (const [provider, server] of found) {
    for (const model of server.models) {
      if (isRouted(provider, model.name)) continue;
      const bareName = bareNames(provider, model).find((name) => impliedNames(name, names).every(isFree));
      if (bareName === undefined) continue;
      for (const spelling of impliedNames(bareName, names)) usedNames.add(spelling);
      const aliases = otherSpellings(model.name).filter((alias) => MODEL_NAME.test(alias) && isFree(alias));
      for (const alias of aliases) usedNames.add(alias);
      models.push(rowOf(model, { id: names.openWeightPrefix + bareName, provider, aliases }));
    }
  }
  return { models, handles: {}, previews: {} };
}

/** Returns the last part of a path, file or repository name, which is the common name of the model. */
const bareNameOf = (name: string): string =>
  name
    .replace(/^.*\//s, '')
    .replace(/\.gguf$/i, '')
    .replace(/:latest$/, '');

/** Lists the names that a model can get, the better one first. */
function bareNames(provider: string, { name }: LocalModel): string[] {
  const bareName = bareNameOf(name);
  return [bareName, `${provider}-${bareName}`].filter((candidate) => BARE_NAME.test(candidate));
}

/** Returns all names that the id of the model implies. */
const impliedNames = (bare: string, { openWeightPrefix, olderSpellingPrefix }: Names): string[] => [
  openWeightPrefix + bare,
  olderSpellingPrefix + bare,
  bare,
];

const otherSpellings = (name: string): string[] => [...new Set([name, name.replace(/:latest$/, '')])];

type LocalRow = { id: string; provider: string; aliases: string[] };

function rowOf(model: LocalModel, { id, provider, aliases }: LocalRow): CatalogModelRow {
  const { name, outputDimensions, contextWindow, capabilities } = model;
  return {
    id,
    aliases,
    display_name: name,
    description: `Served on this machine by ${provider}.`,
    owned_by: 'local',
    source: null,
    created: CREATED_S,
    kind: outputDimensions === null ? 'chat' : 'embedding',
    output_dimensions: outputDimensions,
    context_window: contextWindow,
    max_output: null,
    capabilities: { ...capabilities, documents: false },
    refuses: [],
    system_as: 'instructions',
    reasoning_efforts: [],
    supported_parameters: [],
    allow_unpriced: [],
    extras_usd: {},
    // No plan that is sold includes a local model, so what runs on this machine does not change any plan.
    plan: 'enterprise',
    launch: false,
    tier: 'local',
    delivery: 'exact',
    comparable: [],
    pricing_usd_per_mtok: { input: 0, output: 0, cached_input: null },
    payg_pricing_usd_per_mtok: null,
    metered_usd: null,
    native_batch_pricing_usd_per_mtok: null,
    routes: [{ provider, model: name, weight: 1, wires: null, refuses: [], cost_usd_per_mtok: null }],
  };
}
