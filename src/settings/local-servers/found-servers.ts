import type { LocalModel } from './local-model.ts';

export type FoundServer = { address: string; models: readonly LocalModel[] };

/** The models of each server that was found, by the id of the local host. */
export type FoundServers = ReadonlyMap<string, FoundServer>;

export const offersModels = (found: FoundServers): boolean =>
  [...found.values()].some(({ models }) => models.length > 0);
