import type { CatalogEntry } from '../catalog.ts';
import type { Model } from '../model.ts';
import { unlistedEntry } from '../unlisted-entry.ts';

const unlisted = unlistedEntry({
  name: 'model-1',
  kind: 'chat',
  pricing: { input: 1, output: 4, cachedInput: null },
  counted: { upstreamModel: 'theirs', isSimulated: false },
});

export const sampleModel = (fields: Partial<Model> = {}): Model => ({ ...unlisted.model, ...fields });

type EntryFields = Partial<Omit<CatalogEntry, 'model'>> & { model?: Partial<Model> };

/** Returns the entry of a chat model without targets. */
export const sampleEntry = ({ model, ...fields }: EntryFields = {}): CatalogEntry => ({
  ...unlisted,
  model: sampleModel(model),
  ...fields,
});
