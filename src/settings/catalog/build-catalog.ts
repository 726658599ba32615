import type { Steps } from '../../base/lib/in-slices.ts';
import type { Names } from '../../base/lib/names.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { tokenFamily } from '../../translation/tokens/token-family.ts';
import type { CatalogFile } from '../config/catalog-schema.ts';
import type { PriceRow } from '../config/price-schema.ts';
import type { Provider, Providers } from '../hosts/providers.ts';
import type { Target } from '../hosts/target.ts';
import { Catalog, type CatalogEntry, type ResolvedModel } from './catalog.ts';
import { lackedNeeds } from './lacked-needs.ts';
import type { Model, ModelRoute, Pricing } from './model.ts';
import { modelOfRow, pricingOf } from './model-of-row.ts';
import { parametersLeft } from './parameters-left.ts';
import { consultModels, passModels } from './pass-models.ts';
import { confirmationsOf } from './price-confirmations.ts';
import { aliasesOf } from './spellings.ts';
import { usableWires } from './usable-wires.ts';

export type CatalogProblem = { path: (string | number)[]; message: string };

/** The part of the catalog from one file. It reports its own problems, since it knows lines and columns. */
export type CatalogSource = {
  file: CatalogFile;
  /** True if this is the default catalog for the built-in providers, not the operator's. */
  isDefault: boolean;
  /** Prices that replace those of rows, even of other sources. */
  prices?: Readonly<Record<string, PriceRow>>;
  /**
   * Is set for rows that operators have stored. Their problems are reported and do not prevent the catalog.
   */
  stored?: readonly StoredTraits[];
  report: (problem: CatalogProblem) => void;
};

/** The facts about a stored row, at the same index. */
export type StoredTraits = {
  /** True if the row changes a row of the default catalog. */
  isDefault: boolean;
  isHidden: boolean;
  /** True if the row has prices of its own. `prices` of a file do not replace them. */
  hasPrices: boolean;
};

export type CatalogSurroundings = {
  names: Names;
  providers: Providers;
  /** Wires that the gateway supports. */
  spoken: ReadonlySet<Wire>;
  /** The prices of models without a row. `null` means that they are refused. */
  passedAt: Pricing | null;
};

type EntrySurroundings = CatalogSurroundings & {
  /** No provider is live, so a model without targets can be substituted by simulated models only. */
  isAllSimulated: boolean;
};

type Placed = {
  model: Model;
  isDefault: boolean;
  stored: StoredTraits | undefined;
  report: (field: (string | number)[], message: string) => void;
};

/**
 * The wires that serve a chat model natively.
 * A model of another kind has the one wire of its endpoint, and Google's for embeddings.
 */
const nativeChatWires: ReadonlySet<Wire> = new Set<Wire>([
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'openai-completions',
]);

/**
 * Merges the sources row by row. If two models have the same id, the later source wins.
 * Returns undefined if a problem was reported.
 */
export function* catalogSteps(
  sources: readonly CatalogSource[],
  around: CatalogSurroundings,
): Steps<Catalog | undefined> {
  let faults = 0;
  const watched = sources.map(({ report, ...source }) => ({
    ...source,
    report: (problem: CatalogProblem) => {
      if (!source.stored) faults++;
      report(problem);
    },
  }));
  const placed = yield* placeModels(watched);
  const isAllSimulated = [...around.providers.values()].every(({ mode }) => mode !== 'live');
  const entries: CatalogEntry[] = [];
  for (const place of placed) {
    entries.push(buildEntry(place, { ...around, isAllSimulated }));
    yield;
  }
  const spellings = yield* collectSpellings(placed, entries);
  const priced = new Set(entries.filter((_, index) => placed[index]!.stored?.hasPrices));
  for (const source of watched) replacePrices(source, spellings, priced);
  for (const [index, place] of placed.entries()) {
    checkComparable({ ...place, spellings, self: entries[index]! });
    yield;
  }
  const bridges = yield* collectBridges(watched, spellings);
  if (faults > 0) return undefined;
  const { providers, spoken, passedAt } = around;
  const pass = passedAt ? passModels({ providers, spoken, pricing: passedAt, entries }) : undefined;
  const consult = passedAt ? consultModels(passedAt) : undefined;
  const hidden = new Set(entries.filter((_, index) => placed[index]!.stored?.isHidden));
  if (hidden.size === 0) return new Catalog({ entries, spellings, bridges, pass, consult });
  return new Catalog({
    entries: entries.filter((entry) => !hidden.has(entry)),
    hidden: [...hidden],
    spellings: new Map([...spellings].filter(([, entry]) => !hidden.has(entry))),
    bridges: new Map([...bridges].filter(([, { entry }]) => !hidden.has(entry))),
    pass,
    consult,
  });
}

function* placeModels(sources: readonly CatalogSource[]): Steps<Placed[]> {
  const byId = new Map<string, Placed>();
  for (const { file, isDefault, stored, report: reportProblem } of sources) {
    const inThisFile = new Set<string>();
    for (const [index, row] of file.models.entries()) {
      const report: Placed['report'] = (field, message) =>
        reportProblem({ path: ['models', index, ...field], message });
      if (inThisFile.has(row.id)) report(['id'], `is repeated in this file: '${row.id}'`);
      inThisFile.add(row.id);
      const traits = stored?.[index];
      const isOfDefault = traits?.isDefault ?? isDefault;
      byId.set(row.id, {
        model: modelOfRow(row, { isDefault: isOfDefault }),
        isDefault: isOfDefault,
        stored: traits,
        report,
      });
      yield;
    }
  }
  return [...byId.values()];
}

function buildEntry(
  { model, isDefault, report }: Placed,
  { names, providers, spoken, isAllSimulated }: EntrySurroundings,
): CatalogEntry {
  if (model.id.startsWith('@') && !model.id.startsWith(names.openWeightPrefix)) {
    report(['id'], `must begin with '${names.openWeightPrefix}' or be a plain name`);
  }
  const targets: Target[] = [];
  const native = new Set<string>();
  for (const [index, route] of model.routes.entries()) {
    const provider = providers.get(route.provider);
    if (!provider) {
      report(
        ['routes', index, 'provider'],
        `must be a known provider; there is no '${route.provider}'${didYouMean(route.provider, providers.keys())}`,
      );
      continue;
    }
    const wires = wiresOf(route, provider, model).filter((wire) => provider.wires.includes(wire));
    // An operator's provider that replaces a built-in one may serve fewer wires.
    if (wires.length === 0 && !(isDefault && (provider.source === 'file' || provider.source === 'stored'))) {
      report(
        ['routes', index],
        `must share a wire with provider '${provider.id}' that serves ${model.kind} models`,
      );
    }
    for (const wire of wires)
      if (model.kind === 'chat' ? nativeChatWires.has(wire) : wire !== 'google-embeddings') native.add(wire);
    const usable = wires.filter((wire) => spoken.has(wire));
    if (provider.mode !== 'not-set-up' && usable.length > 0) {
      const refuses = joinRefused([model.refuses, provider.refuses, route.refuses]);
      targets.push({
        provider,
        upstreamModel: route.model,
        weight: route.weight,
        wires: usable,
        ...(refuses && { refuses }),
        ...(route.cost && { cost: route.cost }),
      });
    }
  }
  const chosen = unmixed(targets).sort((one, other) => other.weight - one.weight);
  const [first] = chosen;
  const counted = {
    upstreamModel: first?.upstreamModel ?? model.id,
    isSimulated: first ? first.provider.mode === 'simulated' : isAllSimulated,
  };
  const able = { ...model, supportedParameters: parametersLeft(model, chosen) };
  return {
    model: able,
    aliases: aliasesOf(model, names),
    nativeWires: [...native],
    targets: chosen,
    lacks: lackedNeeds(able),
    counted,
    family: tokenFamily(counted),
  };
}

/**
 * Drops the simulator's targets of a model that a provider serves too, so that simulated
 * answers never mix with real ones.
 */
function unmixed(targets: Target[]): Target[] {
  const live = targets.filter(({ provider }) => provider.mode === 'live');
  return live.length > 0 ? live : targets;
}

const wiresOf = (route: ModelRoute, provider: Provider, model: Model): readonly Wire[] =>
  usableWires(route.wires ?? provider.wires, model.kind);

function* collectSpellings(
  placed: readonly Placed[],
  entries: readonly CatalogEntry[],
): Steps<Map<string, CatalogEntry>> {
  const spellings = new Map<string, CatalogEntry>();
  // A name that a file gives belongs to the file, so stored rows come last.
  const order = [...placed.keys()].sort((a, b) => Number(!!placed[a]!.stored) - Number(!!placed[b]!.stored));
  for (const index of order) {
    const { model, report } = placed[index]!;
    const entry = entries[index]!;
    for (const spelling of new Set([model.id, ...entry.aliases])) {
      const other = spellings.get(spelling);
      if (other)
        report(['id'], `has the name '${spelling}', which the model '${other.model.id}' already has`);
      else spellings.set(spelling, entry);
    }
    yield;
  }
  return spellings;
}

function replacePrices(
  { prices = {}, report }: CatalogSource,
  spellings: ReadonlyMap<string, CatalogEntry>,
  priced: ReadonlySet<CatalogEntry>,
): void {
  for (const [name, price] of Object.entries(prices)) {
    const entry = spellings.get(name);
    if (entry && priced.has(entry)) continue;
    if (entry) {
      const confirmations = confirmationsOf(price, { isDefault: false });
      entry.model = { ...entry.model, pricing: pricingOf(price), confirmations };
    } else {
      const message = `must name a model; there is no '${name}'${didYouMean(name, spellings.keys())}`;
      report({ path: ['prices', name], message });
    }
  }
}

type ComparableCheck = Placed & { spellings: ReadonlyMap<string, CatalogEntry>; self: CatalogEntry };

function checkComparable({ model, report, spellings, self }: ComparableCheck): void {
  for (const [index, id] of model.comparable.entries()) {
    const other = spellings.get(id);
    if (!other)
      report(
        ['comparable', index],
        `must be the id of a model; there is no '${id}'${didYouMean(id, spellings.keys())}`,
      );
    else if (other === self) report(['comparable', index], 'must be another model');
    else if (other.model.kind !== model.kind) {
      report(['comparable', index], `must be of kind ${model.kind} like the model itself`);
    }
  }
}

/** Collects previews and third-party handles. A later source wins, as with models. */
function* collectBridges(
  sources: readonly CatalogSource[],
  spellings: ReadonlyMap<string, CatalogEntry>,
): Steps<Map<string, ResolvedModel>> {
  const bridges = new Map<string, ResolvedModel>();
  for (const { file, report } of sources) {
    for (const [via, section] of [
      ['preview', 'previews'],
      ['handle', 'handles'],
    ] as const) {
      for (const [name, id] of Object.entries(file[section])) {
        const entry = spellings.get(id);
        const fault = entry
          ? bridgeFault(entry, spellings.get(name))
          : `must name a model; there is no '${id}'${didYouMean(id, spellings.keys())}`;
        if (fault) report({ path: [section, name], message: fault });
        else bridges.set(name, { entry: entry!, via });
        yield;
      }
    }
  }
  return bridges;
}

function bridgeFault(entry: CatalogEntry, clash: CatalogEntry | undefined): string | undefined {
  if (clash) return `is already a name of '${clash.model.id}'`;
  return entry.model.kind === 'chat' ? undefined : 'must name a chat model';
}
