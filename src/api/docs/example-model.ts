import type { ModelKind } from '../../settings/catalog/model.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The id of a model for examples, preferably one that can answer. */
export function exampleModel(snapshot: Snapshot, kind: ModelKind = 'chat'): string {
  const any = snapshot.catalog.entries.find(({ model }) => model.kind === kind);
  return (exampleEntry(snapshot, kind) ?? any)?.model.id ?? 'MODEL';
}
