/** The kinds of models. Each kind has endpoints of its own. */
export const modelKinds = [
  'chat',
  'embedding',
  'image',
  'speech',
  'transcription',
  'rerank',
  'moderation',
] as const;

export type ModelKind = (typeof modelKinds)[number];

/** The kinds whose models are billed by other quantities than tokens alone. They have no context window. */
export type MeteredKind = Exclude<ModelKind, 'chat' | 'embedding'>;

/** Reports whether models of a kind are billed by other quantities than tokens alone. */
export const isMetered = (kind: ModelKind): kind is MeteredKind => kind !== 'chat' && kind !== 'embedding';
