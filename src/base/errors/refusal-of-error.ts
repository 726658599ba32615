import { AccountQuarantined } from './account-quarantined.ts';
import { NodeClosed } from './node-closed.ts';
import { Refusal } from './refusal.ts';
import { Unavailable } from './unavailable.ts';

/**
 * Converts a thrown value into the refusal that the client gets. The text of an error never reaches a client.
 */
export function refusalOfError(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NodeClosed)
    return new Refusal('capacity_unavailable', {
      message: 'The server has lost its part of this request; retry it.',
      reason: 'store',
    });
  if (!(error instanceof Unavailable)) return new Refusal('internal_error');
  if (error instanceof AccountQuarantined)
    return new Refusal('capacity_unavailable', {
      message:
        'This account is under maintenance and cannot be used right now. Its credits are kept; contact support if this lasts.',
      reason: 'store',
    });
  return new Refusal('capacity_unavailable', {
    message: 'The server cannot use its store right now; see its /readyz endpoint for the reason.',
    reason: 'store',
  });
}
