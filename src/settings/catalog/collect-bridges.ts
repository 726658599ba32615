import type { Steps } from '../../base/lib/in-slices.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { CatalogEntry, ResolvedModel } from './catalog.ts';
import type { CatalogSource } from './catalog-source.ts';

/** The sections of a file whose names lead to models, and how such a name is resolved. */
const sections = [
  { section: 'previews', via: 'preview' },
  { section: 'handles', via: 'handle' },
] as const;

/** Collects previews and third-party handles. A later source wins, as with models. */
export function* collectBridges(
  sources: readonly CatalogSource[],
  spellings: ReadonlyMap<string, CatalogEntry>,
): Steps<Map<string, ResolvedModel>> {
  const bridges = new Map<string, ResolvedModel>();
  for (const { file, report } of sources) {
    for (const { section, via } of sections) {
      for (const [name, id] of Object.entries(file[section])) {
        const entry = bridgedModel(name, id, spellings);
        if (typeof entry === 'string') report({ path: [section, name], message: entry });
        else bridges.set(name, { entry, via });
        yield;
      }
    }
  }
  return bridges;
}

/** Returns the model that a name leads to, or the reason why it cannot. */
function bridgedModel(
  name: string,
  id: string,
  spellings: ReadonlyMap<string, CatalogEntry>,
): CatalogEntry | string {
  const entry = spellings.get(id);
  if (!entry) return `must name a model; there is no '${id}'${didYouMean(id, spellings.keys())}`;
  const owner = spellings.get(name);
  if (owner) return `is already a name of '${owner.model.id}'`;
  return entry.model.kind === 'chat' ? entry : 'must name a chat model';
}
