import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { Target } from '../../../settings/hosts/target.ts';
import type { Carriage } from '../../../translation/protocols/dialect.ts';
/** A request on its way to a provider: what is sent, to whom, and what is held for it. */
export type Packed = {
  target: Target;
  carriage: Pick<Carriage, 'wire' | 'path' | 'body'>;
  held: HoldCheckpoint;
};
