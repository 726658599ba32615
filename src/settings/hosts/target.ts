import type { Refuses } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Provider } from './providers.ts';

/** A pair of provider and model. The provider is set up and serves a wire that the gateway supports. */
export type Target = {
  provider: Provider;
  upstreamModel: string;
  weight: number;
  wires: readonly Wire[];
  refuses?: Refuses;
  /** A client named provider and model itself, so the catalog has no row for it. */
  isPassed?: true;
};
