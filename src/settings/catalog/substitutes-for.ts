import { keysOf } from '../../base/lib/records.ts';
import { type CatalogEntry, isSimulated } from './catalog.ts';
import type { Model, Pricing } from './model.ts';

export type SubstituteQuestion = {
  /** The requested model. */
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  /** Finds a model by public id or alias. */
  find(name: string): CatalogEntry | undefined;
  /** Reports whether the caller may use the model by plan or payment mode, and by the key's model list. */
  isOpenToCaller(entry: CatalogEntry): boolean;
};

/**
 * Returns the models that may substitute the requested one, best first: the models that it names, in order,
 * else those of its tier. The caller checks needs and capacity for each model in turn. A more expensive model
 * can serve as well, since the bill never exceeds the cost on the requested model.
 */
export function substitutesFor(question: SubstituteQuestion): CatalogEntry[] {
  const { entry } = question;
  if (entry.model.delivery === 'exact') return [];
  return candidatesOf(question).filter((candidate) => mayServe(question, candidate));
}

function candidatesOf({ entry, entries, find }: SubstituteQuestion): CatalogEntry[] {
  const { model, targets } = entry;
  if (model.comparable.length > 0) return model.comparable.flatMap((id) => find(id) ?? []);
  if (model.kind !== 'chat') return []; // only chat models have classes that are comparable
  // A model without providers is refused, unless the operator names a substitute.
  if (targets.length === 0) return [];
  const alike = entries.filter(({ model: other }) => other.tier === model.tier);
  return alike.sort((one, other) => distance(model, one.model) - distance(model, other.model));
}

function mayServe({ entry, isOpenToCaller }: SubstituteQuestion, candidate: CatalogEntry): boolean {
  const { model } = candidate;
  if (candidate === entry || candidate.targets.length === 0 || model.kind !== entry.model.kind) return false;
  if (isSimulated(candidate) !== isSimulated(entry)) return false;
  return isOpenToCaller(candidate);
}

/**
 * Ranks a substitute by what is worse than in the requested model: missing capabilities first, then price,
 * then a smaller window.
 */
function distance(model: Model, other: Model): number {
  const abilities = keysOf(model.capabilities);
  const missing = abilities.filter((name) => model.capabilities[name] && !other.capabilities[name]).length;
  const isSmaller = other.contextWindow < model.contextWindow ? 1 : 0;
  const isMoreExpensive = priceOf(other.pricing) > priceOf(model.pricing) ? 1 : 0;
  return missing * 4 + isMoreExpensive * 2 + isSmaller;
}

/** Combines the two prices at three input tokens for each output token. */
const priceOf = ({ input, output }: Pricing): number => 3 * input + output;
