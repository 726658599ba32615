import type { InvitationsView, MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Invitations } from './invitations.tsx';
import { Leave } from './leave.tsx';
import { Members } from './members.tsx';
import { OrganizationName } from './organization-name.tsx';

/** The organization: its name, its members and the invitations to it. */
export function OrganizationPage() {
  const isOwner = hasRole('owner');
  const members = useQuery<MembersView>(inOrganization('/members'));
  const invitations = useQuery<InvitationsView>(isOwner ? inOrganization('/invitations') : null);
  return (
    <>
      <PageHeader
        title="Organization"
        lead={`The people who share the keys, the usage and the credits of ${organization.value?.name}.`}
      />
      {isOwner && <OrganizationName />}
      <Members query={members} isOwner={isOwner} />
      {isOwner && <Invitations query={invitations} />}
      <Leave members={members.data?.data} />
    </>
  );
}
