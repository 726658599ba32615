import type { LocalModel } from './local-model.ts';

export type FoundServer = { address: string; models: readonly LocalModel[] };

/** The models of each server that was found, by the id of the local host. */
export type FoundServers = ReadonlyMap<string, FoundServer>;
