import type { HoldCheckpoint } from '../../money/ledger/ledger-store.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { NativeWire } from './native-wire.ts';

/** A packed request: its target, its path and body, and its hold. */
export type PackedRequest = {
  target: Target;
  wire: NativeWire;
  carriage: Pick<Carriage, 'path' | 'body'>;
  held: HoldCheckpoint;
  /** The version that the request named for its vendor's protocol. */
  version: string | null;
};
