import { planCovers } from '../../api/models/plan-covers.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import type { Plan } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The facts that decide which models a key can call. */
export type Allowance = {
  plan: Plan;
  /** Requests use pay-as-you-go mode, which includes every model. */
  payg: boolean;
  /** `null` means all models. */
  allowedModels: readonly string[] | null;
};

/** `small`: the model for side tasks. `isCallable`: the key can call the main model. */
type Choice = { main: CatalogEntry; small: CatalogEntry; isCallable: boolean };

/**
 * Chooses the models of the snippets: one that the key can call and that works with agents, and a cheap one
 * for side tasks.
 */
export function chooseModels(
  { catalog, plans }: Snapshot,
  allowance: Allowance,
  wanted?: string,
): Choice | undefined {
  const { plan, payg, allowedModels } = allowance;
  const chats = catalog.entries.filter(({ model }) => model.kind === 'chat');
  const canCall = (entry: CatalogEntry): boolean =>
    isAvailable(entry) &&
    (payg || planCovers(plan, entry.model, plans)) &&
    (allowedModels === null || allowedModels.includes(entry.model.id));
  const callable = chats.filter(canCall).sort(byFitness);
  const chosen = wanted === undefined ? undefined : catalog.find(wanted);
  const main = chosen ?? callable[0] ?? chats.find(isAvailable) ?? chats[0];
  if (!main) return undefined;
  const maxFitness = Math.max(...callable.map(fitnessOf));
  const fittest = callable.filter((entry) => fitnessOf(entry) === maxFitness);
  const small = fittest.sort(byPrice)[0] ?? main;
  return { main, small, isCallable: canCall(main) };
}

/** Models of providers come before simulated ones, and models with tools before those without. */
const fitnessOf = (entry: CatalogEntry): number =>
  (isSimulated(entry) ? 0 : 2) + (entry.model.capabilities.tools ? 1 : 0);

const byFitness = (one: CatalogEntry, other: CatalogEntry): number => fitnessOf(other) - fitnessOf(one);

const byPrice = (one: CatalogEntry, other: CatalogEntry): number => priceOf(one) - priceOf(other);

const priceOf = ({ model: { pricing } }: CatalogEntry): number => pricing.input + pricing.output;
