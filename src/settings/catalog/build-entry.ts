import type { Names } from '../../base/lib/names.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { Provider, Providers } from '../hosts/providers.ts';
import type { Target } from '../hosts/target.ts';
import type { CatalogEntry } from './catalog.ts';
import { lackedNeeds } from './lacked-needs.ts';
import type { Model, ModelRoute } from './model.ts';
import { parametersLeft } from './parameters-left.ts';
import type { PlacedModel } from './place-models.ts';
import { usableWires } from './usable-wires.ts';

export type EntrySurroundings = {
  names: Names;
  providers: Providers;
  /** The wires that the gateway supports. */
  supportedWires: ReadonlySet<Wire>;
  /** True if no provider is live. Only simulated models then substitute a model without targets. */
  isAllSimulated: boolean;
};

/** Builds the entry of a model: its row with what the providers of its routes decide. */
export function buildEntry(placed: PlacedModel, surroundings: EntrySurroundings): CatalogEntry {
  const { model, report } = placed;
  const { names, providers, supportedWires, isAllSimulated } = surroundings;
  if (model.id.startsWith('@') && !model.id.startsWith(names.openWeightPrefix))
    report(['id'], `must begin with '${names.openWeightPrefix}' or be a plain name`);
  const routes = servedRoutes(placed, providers);
  const targets = withoutSimulated(routes.flatMap((route) => targetOf(route, model, supportedWires) ?? []));
  targets.sort((one, other) => other.weight - one.weight);
  const [first] = targets;
  const counted = {
    upstreamModel: first?.upstreamModel ?? model.id,
    isSimulated: first ? first.provider.mode === 'simulated' : isAllSimulated,
  };
  const servedModel = { ...model, supportedParameters: parametersLeft(model, targets) };
  return {
    model: servedModel,
    aliases: aliasesOf(model, names),
    nativeWires: nativeWires(model, routes),
    targets,
    lacks: lackedNeeds(servedModel),
    counted,
    family: findTokenFamily(counted),
  };
}

/** Returns the other names of a model: derived names first, then the aliases of the row. */
function aliasesOf({ id, aliases }: Model, { openWeightPrefix, olderSpellingPrefix }: Names): string[] {
  const isOpenWeight = id.startsWith(openWeightPrefix);
  const bareName = isOpenWeight ? id.slice(openWeightPrefix.length) : id;
  const derived = [olderSpellingPrefix + bareName, ...(isOpenWeight ? [bareName] : [])];
  return [...derived, ...aliases.filter((alias) => !derived.includes(alias))];
}

/** A route to a provider that exists, with the wires that both have for the model. */
type ServedRoute = { route: ModelRoute; provider: Provider; wires: readonly Wire[] };

function servedRoutes({ model, isDefault, report }: PlacedModel, providers: Providers): ServedRoute[] {
  return model.routes.flatMap((route, index) => {
    const provider = providers.get(route.provider);
    if (!provider) {
      const hint = didYouMean(route.provider, providers.keys());
      report(
        ['routes', index, 'provider'],
        `must be a known provider; there is no '${route.provider}'${hint}`,
      );
      return [];
    }
    const wires = usableWires(route.wires ?? provider.wires, model.kind).filter((wire) =>
      provider.wires.includes(wire),
    );
    // An operator's provider that replaces a built-in one may serve fewer wires.
    const isReplaced = isDefault && (provider.source === 'file' || provider.source === 'stored');
    // The wires of an unusable row are not known, and its fault is reported with the provider.
    const isUnusable = Boolean(provider.stored?.unusable);
    if (wires.length === 0 && !isReplaced && !isUnusable)
      report(
        ['routes', index],
        `must share a wire with provider '${provider.id}' that serves ${model.kind} models`,
      );
    return [{ route, provider, wires }];
  });
}

/** Returns the target of a route, or undefined if its provider is not set up or has no supported wire. */
function targetOf(
  { route, provider, wires }: ServedRoute,
  model: Model,
  supportedWires: ReadonlySet<Wire>,
): Target | undefined {
  const supported = wires.filter((wire) => supportedWires.has(wire));
  if (provider.mode === 'not-set-up' || supported.length === 0) return undefined;
  const refuses = joinRefused([model.refuses, provider.refuses, route.refuses]);
  return {
    provider,
    upstreamModel: route.model,
    weight: route.weight,
    wires: supported,
    ...(refuses && { refuses }),
    ...(route.cost && { cost: route.cost }),
  };
}

/**
 * Drops the simulator's targets of a model that a provider serves too, so that simulated answers never mix
 * with real ones.
 */
function withoutSimulated(targets: Target[]): Target[] {
  const live = targets.filter(({ provider }) => provider.mode === 'live');
  return live.length > 0 ? live : targets;
}

/** The wires that serve a chat model natively, as dialects of clients. */
const nativeChatWires: ReadonlySet<Wire> = new Set<Wire>([
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'openai-completions',
]);

/**
 * Reports whether a dialect of clients has this wire. The endpoints of other kinds of models have OpenAI's or
 * Cohere's wire, so Google's embeddings are always translated.
 */
const isNative = (wire: Wire, { kind }: Model): boolean =>
  kind === 'chat' ? nativeChatWires.has(wire) : wire !== 'google-embeddings';

const nativeWires = (model: Model, routes: readonly ServedRoute[]): Wire[] => [
  ...new Set(routes.flatMap(({ wires }) => wires.filter((wire) => isNative(wire, model)))),
];
