import type { Wire } from '../../translation/canonical/wire.ts';
import type { Provider } from './providers.ts';

/** A way to reach a model that can be used now: its provider is set up and speaks a wire that we do. */
export type Target = { provider: Provider; upstreamModel: string; weight: number; wires: readonly Wire[] };
