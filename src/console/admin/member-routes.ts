import { Refusal } from '../../base/errors/refusal.ts';
import { linkTo } from '../../customers/people/link-post.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { listView } from './list-view.ts';
import { memberChangeBody, newInvitationBody } from './people-bodies.ts';
import { peopleDescriptions as told } from './people-descriptions.ts';
import { invitationView, memberView } from './people-view.ts';
import type { AdminRoute } from './require-admin-token.ts';

/** The routes for the members of an account, and invitations to it. */
export function memberRoutes({
  people: { memberships },
  accounts,
  readBody,
}: AdminDependencies): AdminRoute[] {
  const list: Route['handle'] = async ({ params }) => {
    const account = await accounts.find(params.id!);
    if (account instanceof Refusal) return account;
    return jsonReply(200, listView((await memberships.list(account.id)).map(memberView)));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await memberChangeBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const { id: account, person } = exchange.params;
    const refusal = await memberships.changeRole(account!, person!, body.role, actorOf(exchange));
    return refusal ?? jsonReply(200, { id: person, done: true });
  };

  const remove: Route['handle'] = async (exchange) => {
    const { id: account, person } = exchange.params;
    const refusal = await memberships.remove(account!, person!, actorOf(exchange));
    return refusal ?? jsonReply(200, { id: person, done: true });
  };

  const listInvitations: Route['handle'] = async ({ params }) => {
    const account = await accounts.find(params.id!);
    if (account instanceof Refusal) return account;
    return jsonReply(200, listView((await memberships.invitations(account.id)).map(invitationView)));
  };

  const invite: Route['handle'] = async (exchange) => {
    const body = await newInvitationBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const invited = await memberships.invite(
      exchange.params.id!,
      { ...body, isShown: true },
      actorOf(exchange),
    );
    if (invited instanceof Refusal) return invited;
    const { invitation, token, isMailed } = invited;
    const link = isMailed ? null : linkTo(publicUrl(exchange), { kind: 'invitation', token });
    return jsonReply(201, { ...invitationView(invitation), link });
  };

  const withdraw: Route['handle'] = async (exchange) => {
    const { id: account, invitation } = exchange.params;
    const refusal = await memberships.withdraw(account!, invitation!, actorOf(exchange));
    return refusal ?? jsonReply(200, { id: invitation, done: true });
  };

  const members = '/admin/v1/accounts/{id}/members';
  const invitations = '/admin/v1/accounts/{id}/invitations';
  return [
    { method: 'GET', path: members, handle: list, describe: told.listMembers },
    { method: 'PATCH', path: `${members}/{person}`, handle: change, describe: told.changeMember },
    { method: 'DELETE', path: `${members}/{person}`, handle: remove, describe: told.removeMember },
    { method: 'GET', path: invitations, handle: listInvitations, describe: told.listInvitations },
    { method: 'POST', path: invitations, handle: invite, describe: told.invite },
    { method: 'DELETE', path: `${invitations}/{invitation}`, handle: withdraw, describe: told.withdraw },
  ];
}
