import type { Names } from '../../base/lib/names.ts';
import type { Model } from './model.ts';

export const isOpenWeight = (model: { id: string }, names: Names): boolean =>
  model.id.startsWith(names.openWeightPrefix);

/** Returns the id without the prefix of open-weight models. */
export const bareName = (model: { id: string }, names: Names): string =>
  isOpenWeight(model, names) ? model.id.slice(names.openWeightPrefix.length) : model.id;

/** Returns the other names of the model: derived names first, then the aliases of the row. */
export function aliasesOf(model: Pick<Model, 'id' | 'aliases'>, names: Names): string[] {
  const bare = bareName(model, names);
  const derived = [names.olderSpellingPrefix + bare, ...(isOpenWeight(model, names) ? [bare] : [])];
  return [...derived, ...model.aliases.filter((alias) => !derived.includes(alias))];
}
