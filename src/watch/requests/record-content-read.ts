import type { Accounts } from '../../money/accounts/accounts.ts';

export type ContentRead = {
  /** The person's address, or the name of the admin token. */
  actor: string;
  accountId: string;
  kind: 'request' | 'response' | 'batch';
  /** The request, response or batch. */
  id: string;
  /** The part of the request, response or batch that is read. */
  part?: string;
};

/**
 * Records that somebody reads recorded content. Call it before the content is sent: without the entry,
 * nothing is shown.
 */
export const recordContentRead = (
  accounts: Pick<Accounts, 'recordRepeated'>,
  { actor, accountId, kind, id, part }: ContentRead,
): Promise<void> =>
  accounts.recordRepeated({
    actor,
    action: 'content-read',
    target: id,
    times: 1,
    details: { accountId, kind, ...(part !== undefined && { part }) },
  });
