import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses a body that the client abandoned, which is not a failure of the gateway. Rethrows other errors. */
export function brokenOff(error: unknown): Refusal {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  return new Refusal('invalid_request', {
    message: 'The connection closed before the whole body arrived.',
    headers: { connection: 'close' },
  });
}
