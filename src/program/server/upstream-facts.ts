import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The providers and models that the message and the log line of a start name. */
export type UpstreamFacts = {
  /** The ids of the providers that are called. */
  liveProviders: string[];
  /** The number of models that a provider answers for. */
  realModels: number;
  /** The ids of the models that the simulator answers for. */
  simulatedModels: string[];
};

/** Sorts the providers and models that are served by what answers for them. */
export function upstreamFacts({ providers, catalog }: Snapshot): UpstreamFacts {
  const answering = catalog.entries.filter(isAvailable);
  const simulatedModels = answering.filter(isSimulated).map(({ model }) => model.id);
  return {
    liveProviders: [...providers.values()].filter(({ mode }) => mode === 'live').map(({ id }) => id),
    realModels: answering.length - simulatedModels.length,
    simulatedModels,
  };
}
