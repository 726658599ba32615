import type { Exchange } from '../../edge/http/exchange.ts';

/** Tells the client that the simulator answers, not a model. */
export function tellSimulated({ snapshot, headers }: Pick<Exchange, 'snapshot' | 'headers'>): void {
  headers[snapshot.names.header.simulated] = 'true';
}
