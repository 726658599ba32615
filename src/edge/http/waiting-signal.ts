import type { Exchange } from './exchange.ts';

/** Returns the signal that aborts when nobody waits for the answer any more. */
export const waitingSignal = ({ patience, request }: Pick<Exchange, 'patience' | 'request'>): AbortSignal =>
  patience ?? request.signal;
