import type { Exchange } from '../../edge/http/exchange.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { BackgroundDialect } from '../request/background-starter.ts';
import type { Services } from '../request/services.ts';
import type { BackgroundStore } from './background-store.ts';

/** The parts of the program that make responses in the background. */
export type BackgroundParts = {
  store: BackgroundStore;
  services: Services;
  authenticator: Authenticator;
  /** The dialects whose answers can be made in the background. */
  dialects: readonly BackgroundDialect[];
  snapshot: () => Snapshot;
  /** The process is the only one, so what others hold was left by a crash. */
  isAlone: boolean;
  /** Returns the envelope of a response that was stored before its process died. */
  madeEnvelope(wanted: { id: string; keyId: string }): Promise<string | undefined>;
  /** Receives the exchange of each response before its request is checked. */
  opened(exchange: Exchange): void;
  /** Receives the exchange of a response that has ended. */
  observe(exchange: Exchange): void;
  onExchangeFailure(exchange: Exchange, error: unknown): void;
  onFailure(error: unknown): void;
};
