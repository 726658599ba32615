import { clientNetworks } from '../../edge/http/client-network.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { hashAsGuest } from './hash-as-guest.ts';

/**
 * Runs work that checks a password or a code, and bounds the guesses with a stolen session. Hashes wait in
 * the line of the client's network.
 */
export async function withGuessLimit<Result>(
  parts: DashboardParts,
  { exchange, visitor }: PersonCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const networks = clientNetworks(exchange);
  accepted(await parts.attempts.count({ kind: 'password', networks, subject: visitor.userId }));
  return hashAsGuest(parts, exchange, work, visitor.sessionId);
}
