import type { CatalogEntry } from './catalog.ts';
import type { Capability, Model, Pricing } from './model.ts';

export type SubstituteQuestion = {
  /** The model that was asked for. */
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  /** By public id or older spelling. */
  find(name: string): CatalogEntry | undefined;
  /** Whether the caller may have it: plan or payment mode, and the key's own list. */
  isOpenToCaller(entry: CatalogEntry): boolean;
};

/**
 * Models that may answer in the place of the one that was asked for, best first: those that it names, in its order, else those of its tier.
 * Whether one of them has what the request asks for, and room for it, is asked of each when its turn comes. One that costs more may serve
 * too, since what is billed is never more than the model that was asked for would have cost.
 */
export function substitutesFor(question: SubstituteQuestion): CatalogEntry[] {
  const { entry } = question;
  if (entry.model.delivery === 'exact') return [];
  return candidatesOf(question).filter((candidate) => mayServe(question, candidate));
}

function candidatesOf({ entry, entries, find }: SubstituteQuestion): CatalogEntry[] {
  const { model, targets } = entry;
  if (model.comparable.length > 0) return model.comparable.flatMap((id) => find(id) ?? []);
  if (model.kind === 'embedding') return []; // vectors of one model mean nothing to another
  if (targets.length === 0) return []; // not set up is no passing trouble: the client hears of it unless the operator names another
  const alike = entries.filter(({ model: other }) => other.tier === model.tier);
  return alike.sort((one, other) => distance(model, one.model) - distance(model, other.model));
}

function mayServe({ entry, isOpenToCaller }: SubstituteQuestion, candidate: CatalogEntry): boolean {
  const { model } = candidate;
  if (candidate === entry || candidate.targets.length === 0 || model.kind !== entry.model.kind) return false;
  return isOpenToCaller(candidate);
}

/** What weighs more comes first: abilities that are missing, then room, then price. */
function distance(model: Model, other: Model): number {
  const abilities = Object.keys(model.capabilities) as Capability[];
  const missing = abilities.filter((name) => model.capabilities[name] && !other.capabilities[name]).length;
  const isSmaller = other.contextWindow < model.contextWindow ? 1 : 0;
  const isDearer = priceOf(other.pricing) > priceOf(model.pricing) ? 1 : 0;
  return missing * 4 + isDearer * 2 + isSmaller;
}

/** One figure for a price: three tokens are read for each that is written. */
const priceOf = ({ input, output }: Pricing): number => 3 * input + output;
