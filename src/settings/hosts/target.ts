import type { Refuses } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Provider } from './providers.ts';

/** USD per million tokens. `null` for cached input means the input price. */
export type TokenCost = { input: number; output: number; cachedInput: number | null };

/** A pair of provider and model. The provider is set up and serves a wire that the gateway supports. */
export type Target = {
  provider: Provider;
  upstreamModel: string;
  weight: number;
  wires: readonly Wire[];
  refuses?: Refuses;
  /** The prices that the operator pays for tokens there, if they are not the model's own. */
  cost?: TokenCost;
  /** A client named provider and model itself, so the catalog has no row for it. */
  isPassed?: true;
};
