import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import { roleIn } from '../../customers/people/visitor.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import type { OrganizationView, organizationChange } from './organization-schema.ts';

/** Shows an organization, with the role of the visitor. */
export async function showOrganization(
  { visitor, accountId }: OrganizationCall,
  { accounts }: DashboardParts,
): Promise<OrganizationView> {
  const account = accepted(await accounts.find(accountId));
  return {
    id: account.id,
    name: account.name,
    role: roleIn(visitor, accountId)!, // the route admits only visitors with a role
    created_at: isoTime(account.createdAt),
  };
}

export async function renameOrganization(
  { visitor, accountId, body: { name } }: OrganizationCall<WithBody<typeof organizationChange>>,
  { accounts }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await accounts.change(accountId, { name: name.trim() }, visitor.email));
  return DONE;
}
