import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { CatalogEntry } from './catalog.ts';
import { type BuiltModel, collectSpellings } from './collect-spellings.ts';
import type { Model } from './model.ts';
import type { PlacedModel } from './place-models.ts';

test('a name that a model has already is reported at its place, with that model', () => {
  const problems: string[] = [];
  const builtModel = (id: string, aliases: string[]): BuiltModel => {
    const model = partial<Model>({ id, aliases });
    const placed: PlacedModel = {
      model,
      isDefault: false,
      stored: undefined,
      report: (field, message) => problems.push(`${id}.${field.join('.')} ${message}`),
    };
    return { placed, entry: partial<CatalogEntry>({ model, aliases: [...aliases, `open/${id}`] }) };
  };
  const models = [builtModel('a', ['b', 'c']), builtModel('b', ['own', 'c', 'a'])];
  const spellings = collectSpellings(models);
  while (!spellings.next().done);
  expect(problems).toEqual([
    "b.id 'b' is already an alias of the model 'a'",
    "b.aliases.1 'c' is already an alias of the model 'a'",
    "b.aliases.2 'a' is already the id of the model 'a'",
  ]);
});
