import { Refusal } from '../../base/errors/refusal.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';

/** A call about the key that the path names. */
export type KeyCall<Input = unknown> = OrganizationCall<WithParams<'key'> & Input>;

/** Finds the organization's key that the path names. */
export const findKey = ({ accountId, params }: KeyCall, parts: DashboardParts): Promise<ApiKey> =>
  findKeyOf(parts, { accountId, keyId: params.key });

/** Finds a key of an organization by its id. */
export async function findKeyOf(
  { accounts }: DashboardParts,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<ApiKey> {
  const keys = accepted(await accounts.listKeys(accountId));
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw noSuchKey();
  return key;
}

const noSuchKey = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no API key with this id.' });
