import { isAvailable } from '../../settings/catalog/catalog.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';

/** Returns the id of a model, preferably one that can answer. */
function exampleModel(snapshot: Snapshot, kind: ModelKind = 'chat'): string {
  const any = snapshot.catalog.entries.find(({ model }) => model.kind === kind);
  return (exampleEntry(snapshot, kind) ?? any)?.model.id ?? 'MODEL';
}

/** Returns a model that takes images. */
function visionModel(snapshot: Snapshot): string {
  const able = snapshot.catalog.entries.filter(({ model }) => model.capabilities.vision);
  return (able.find(isAvailable) ?? able[0])?.model.id ?? exampleModel(snapshot);
}

/** Returns the models that stand for placeholders in examples. */
export const exampleModels = (snapshot: Snapshot) => ({
  model: exampleModel(snapshot),
  small_model: exampleModel(snapshot),
  embedding_model: exampleModel(snapshot, 'embedding'),
  image_model: exampleModel(snapshot, 'image'),
  speech_model: exampleModel(snapshot, 'speech'),
  transcription_model: exampleModel(snapshot, 'transcription'),
  rerank_model: exampleModel(snapshot, 'rerank'),
  moderation_model: exampleModel(snapshot, 'moderation'),
  vision_model: visionModel(snapshot),
});
