import type { Exchange } from '../../edge/http/exchange.ts';

/** Tells the client and the log that the simulator answers, not a model. */
export function markSimulated({ snapshot, headers, notes }: Exchange): void {
  headers[snapshot.names.header.simulated] = 'true';
  notes.simulated = true;
}
