import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { originOf } from '../../customers/people/origin-of.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';
import { newLinkBody, personChangeBody } from './people-bodies.ts';
import { peopleDescriptions as told } from './people-descriptions.ts';
import { personView } from './people-view.ts';
import type { AdminRoute } from './require-admin-token.ts';

/** These change who is an operator, or open the way to become one. */
const OWNERS: readonly AdminRole[] = ['owner'];

/** The routes for people who can sign in. */
export function peopleRoutes({ people: { directory }, readBody }: AdminDependencies): AdminRoute[] {
  const list: Route['handle'] = async ({ query }) => {
    const page = pageQuery(query);
    if (page instanceof Refusal) return page;
    const { limit, after } = page;
    if (after !== undefined && (await directory.find(after)) instanceof Refusal)
      return unknownAfter('a person');
    const email = new URLSearchParams(query).get('email');
    const selected = { limit, ...(after !== undefined && { after }), ...(email !== null && { email }) };
    const { items, hasMore } = await directory.list(selected);
    return jsonReply(200, listView(items.map(personView), hasMore));
  };

  const get: Route['handle'] = async ({ params }) => {
    const person = await directory.find(params.id!);
    return person instanceof Refusal ? person : jsonReply(200, personView(person));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await personChangeBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const by = { actor: actorOf(exchange) };
    const id = exchange.params.id!;
    if (body.email !== undefined) {
      const refusal = await directory.changeEmail(id, body.email, by);
      if (refusal) return refusal;
    }
    const person =
      body.operator_role === undefined
        ? await directory.find(id)
        : await directory.changeOperatorRole(id, body.operator_role, by);
    return person instanceof Refusal ? person : jsonReply(200, personView(person));
  };

  const makeLink: Route['handle'] = async (exchange) => {
    const body = await newLinkBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const link = await directory.makeLink(exchange.params.id!, body.kind, {
      ...{ actor: actorOf(exchange), isOwner: exchange.operatorRole === 'owner' },
      ...{ origin: originOf(exchange), base: publicUrl(exchange) },
    });
    return link instanceof Refusal ? link : jsonReply(201, { link });
  };

  const doing =
    (work: 'remove' | 'endSessions' | 'removeSecondFactor'): Route['handle'] =>
    async (exchange) => {
      const id = exchange.params.id!;
      return (await directory[work](id, { actor: actorOf(exchange) })) ?? jsonReply(200, { id, done: true });
    };

  const one = '/admin/v1/people/{id}';
  return [
    { method: 'GET', path: '/admin/v1/people', handle: list, describe: told.list },
    { method: 'GET', path: one, handle: get, describe: told.get },
    { method: 'PATCH', path: one, roles: OWNERS, handle: change, describe: told.change },
    { method: 'DELETE', path: one, roles: OWNERS, handle: doing('remove'), describe: told.remove },
    { method: 'POST', path: `${one}/links`, handle: makeLink, describe: told.makeLink },
    {
      ...{ method: 'DELETE', path: `${one}/sessions`, roles: OWNERS },
      ...{ handle: doing('endSessions'), describe: told.endSessions },
    },
    {
      ...{ method: 'DELETE', path: `${one}/second-factor`, roles: OWNERS },
      ...{ handle: doing('removeSecondFactor'), describe: told.removeSecondFactor },
    },
  ];
}
