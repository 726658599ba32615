import {
  callDashboard,
  PASSWORD,
  type SignedInPerson,
  type signInAsOperator,
  signInWithPassword,
} from '../sign-in.ts';

type Joining = { account: string; email: string; role: 'owner' | 'developer' | 'viewer' };

/** Signs a person up with an operator's invitation to an organization. */
export async function joinOrganization(
  server: Parameters<typeof signInAsOperator>[0],
  operator: SignedInPerson,
  { account, email, role }: Joining,
): Promise<SignedInPerson> {
  const invited = await operator.call(`/operator/accounts/${account}/invitations`, { body: { email, role } });
  const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]);
  const body = { email, name: email, password: PASSWORD, invitation };
  const joined = await callDashboard(server, '/session/sign-up', { body });
  if (joined.status !== 200) throw new Error(`the sign-up answered ${joined.status}: ${joined.text}`);
  return signInWithPassword(server, email);
}
