import { Refusal } from '../../base/errors/refusal.ts';
import type { OperationParts } from './operation-parts.ts';

/** Refuses a key for a person who is no member of its account. Without `isMember` nobody is refused. */
export async function refuseNonMember(
  isMember: OperationParts['isMember'],
  { accountId, personId }: { accountId: string; personId: string | null | undefined },
): Promise<Refusal | undefined> {
  if (typeof personId !== 'string' || !isMember || (await isMember(accountId, personId))) return undefined;
  return new Refusal('invalid_request', {
    message: 'The account has no member with this id.',
    param: 'person_id',
  });
}
