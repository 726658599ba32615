import { Refusal } from '../../base/errors/refusal.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { modelIdOf } from './model-id-of.ts';

/** The places from which models come. */
export type ModelPlaces = { snapshot: Snapshot; configFile: string | null };

/** Refuses the id of a new model that is a name of another one. */
export function idTaken(id: string, holderId: string, places: ModelPlaces): Refusal {
  const state = id === holderId ? 'exists already' : `is already a name of '${holderId}'`;
  const message = `The model '${id}' ${state}, ${placeOf(holderId, places)}.`;
  return new Refusal('conflict', { message, param: 'id' });
}

/** Refuses to remove a model that has no stored row. */
export function nothingStored(id: string, places: ModelPlaces): Refusal {
  const message = `The model '${id}' is ${placeOf(id, places)}, so there is no stored row to remove. Hide it instead.`;
  return new Refusal('conflict', { message });
}

/** Refuses to change a model without a row. A model of a local server exists without one. */
export function unknownModel(id: string, places: ModelPlaces): Refusal {
  if (modelIdOf(places.snapshot, id) === undefined)
    return new Refusal('not_found', { message: `There is no model '${id}'.` });
  const message = `The model '${id}' is ${placeOf(id, places)}. Make a model of another id with a route to it.`;
  return new Refusal('conflict', { message });
}

/** Says where a model comes from, and so where it is changed. */
function placeOf(id: string, { snapshot, configFile }: ModelPlaces): string {
  const source = snapshot.rows().get(id)?.source ?? 'found';
  return {
    file: `in the configuration file ${configFile ?? ''}`.trim(),
    'built-in': 'in the default catalog',
    found: 'offered by a local server that was found',
    stored: 'as a stored row',
  }[source];
}
