import type { Exchange } from '../../edge/http/exchange.ts';

/**
 * Returns the catalog's id of the model that a request names, or '' for another name. Names that clients
 * invent would make as many sums.
 */
export function listedModelOf({ notes, snapshot }: Pick<Exchange, 'notes' | 'snapshot'>): string {
  const name = notes.modelId ?? notes.model;
  return name === undefined ? '' : (snapshot.catalog.find(name)?.model.id ?? '');
}
