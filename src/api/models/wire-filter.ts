import type { CatalogEntry } from '../../settings/catalog/catalog.ts';

/** The protocol whose models a list shows. `null` means all models. */
export type WireFilter = 'anthropic' | 'openai' | 'responses' | null;

const wireOf: Record<Exclude<WireFilter, null>, string> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  responses: 'openai-responses',
};

/** Selects the models that the protocol reaches without translation. */
export const servedOn = (filter: WireFilter) => (entry: CatalogEntry) =>
  filter === null || entry.nativeWires.includes(wireOf[filter]);
