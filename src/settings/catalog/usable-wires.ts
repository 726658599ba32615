import type { Wire } from '../../translation/canonical/wire.ts';
import type { ModelKind } from './model.ts';

/** The wires that can call a model of each kind. */
const usableByKind: Record<ModelKind, (wire: Wire) => boolean> = {
  chat: (wire) => wire !== 'openai-embeddings',
  embedding: (wire) => wire === 'openai-embeddings',
};

/** Sorts the completions wire last, since a conversation uses it only if there is no other wire. */
const byRichness = (one: Wire, other: Wire): number =>
  Number(one === 'openai-completions') - Number(other === 'openai-completions');

/** Returns those of the wires that can call a model of the kind, best first. */
export const usableWires = (wires: readonly Wire[], kind: ModelKind): readonly Wire[] =>
  wires.filter(usableByKind[kind]).sort(byRichness);
