import type { Static } from 'typebox';
import { findPerson } from '../../customers/people/person.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import { invitationView } from '../admin/people-view.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall, PersonCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import type {
  AcceptedView,
  acceptBody,
  InvitationsView,
  InvitedView,
  newInvitation,
} from './organization-schema.ts';

/** Lists the open invitations to an organization. */
export async function listInvitations(
  { accountId }: OrganizationCall,
  { invitations }: DashboardParts,
): Promise<InvitationsView> {
  return { data: (await invitations.list(accountId)).map(invitationView) };
}

/** Invites an address. The invitations of an organization and of a network are bounded. */
export async function inviteMember(
  { exchange, visitor, accountId, body }: OrganizationCall<WithBody<typeof newInvitation>>,
  { invitations, attempts }: DashboardParts,
): Promise<InvitedView> {
  const networks = clientNetworks(exchange);
  accepted(await attempts.count({ kind: 'invitation', networks, subject: accountId }));
  const { invitation, isMailed } = accepted(await invitations.invite(accountId, body, visitor.email));
  return { ...invitationView(invitation), mailed: isMailed };
}

export async function withdrawInvitation(
  { params, visitor, accountId }: OrganizationCall<WithParams<'invitation'>>,
  { invitations }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await invitations.withdraw(accountId, params.invitation, visitor.email));
  return DONE;
}

/** Makes the visitor a member of the organization that an invitation names. */
export async function acceptInvitation(
  { visitor, body: { token } }: PersonCall<WithBody<typeof acceptBody>>,
  { invitations, store }: DashboardParts,
): Promise<AcceptedView> {
  const person = await findPerson(store, visitor.userId);
  // A removed person has no session.
  return { organization: accepted(await invitations.accept(token, person!)) };
}
