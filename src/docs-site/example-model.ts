import type { ModelKind } from '../catalog/model.ts';
import { exampleEntry } from '../example-entry.ts';
import type { Snapshot } from '../snapshot.ts';

/** The name of a model for examples; where none answers, of one that there is. */
export function exampleModel(snapshot: Snapshot, kind: ModelKind = 'chat'): string {
  const any = snapshot.catalog.entries.find(({ model }) => model.kind === kind);
  return (exampleEntry(snapshot, kind) ?? any)?.model.id ?? 'MODEL';
}
