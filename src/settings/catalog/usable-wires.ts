import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** The wires of models that do not chat. */
const wiresOf: Record<Exclude<ModelKind, 'chat'>, readonly Wire[]> = {
  embedding: ['openai-embeddings', 'google-embeddings'],
  image: ['openai-images'],
  speech: ['openai-audio'],
  transcription: ['openai-audio'],
  rerank: ['cohere-rerank'],
  moderation: ['openai-moderations'],
};
const otherWires: ReadonlySet<Wire> = new Set(Object.values(wiresOf).flat());

/** Reports whether a wire can call a model of the kind. */
const isUsable = (wire: Wire, kind: ModelKind): boolean =>
  kind === 'chat' ? !otherWires.has(wire) : wiresOf[kind].includes(wire);

/** Sorts the completions wire last, since a conversation uses it only if there is no other wire. */
const byRichness = (one: Wire, other: Wire): number =>
  Number(one === 'openai-completions') - Number(other === 'openai-completions');

/** Returns the wires that can call a model of the kind, best first. */
export const usableWires = (wires: readonly Wire[], kind: ModelKind): readonly Wire[] =>
  wires.filter((wire) => isUsable(wire, kind)).sort(byRichness);
