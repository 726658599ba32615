import type { Names } from '../../base/lib/names.ts';
import type { Model } from './model.ts';

export const isOpenWeight = (model: { id: string }, names: Names): boolean =>
  model.id.startsWith(names.openWeightPrefix);

/** The id without the prefix of open weights. */
export const bareName = (model: { id: string }, names: Names): string =>
  isOpenWeight(model, names) ? model.id.slice(names.openWeightPrefix.length) : model.id;

/** Everything else that resolves to the model: older spellings first, then the row's own aliases. */
export function aliasesOf(model: Pick<Model, 'id' | 'aliases'>, names: Names): string[] {
  const bare = bareName(model, names);
  const derived = [names.olderSpellingPrefix + bare, ...(isOpenWeight(model, names) ? [bare] : [])];
  return [...derived, ...model.aliases.filter((alias) => !derived.includes(alias))];
}
