import type { Inference } from '../request/inference.ts';

/** Gives the client the public id of the model that serves the request, and never the provider. */
export function writeServedBy({ exchange, trail, entry: { model } }: Inference): void {
  const { snapshot, headers, notes } = exchange;
  trail.model = model.id;
  notes.servedModel = model.id;
  if (snapshot.config.responses.served_by_header) headers[snapshot.names.header.servedBy] = model.id;
}
