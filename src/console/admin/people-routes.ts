import { Refusal } from '../../base/errors/refusal.ts';
import { definedOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { type AdminRole, adminRoles } from '../../customers/operators/admin-token.ts';
import { originOf } from '../../customers/people/origin-of.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { ADDRESS } from '../routes/name-texts.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { done, doneView, person, personView } from './people-view.ts';

const route = adminRouteWith<'people'>();

const group = 'Admin: people';
/** The role for routes that change who is an operator, or open the way to become one. */
const OWNERS: readonly AdminRole[] = ['owner'];
const ONE = '/admin/v1/people/{id}';

/** The routes for people who can sign in. */
export const peopleRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/people',
      group,
      summary: 'Lists the people who can sign in to the dashboard',
      query: Type.Object({
        ...pageFields,
        email: filterField('Returns only the person with this address.'),
      }),
      answer: listOf(person),
      returns: 'A page of people.',
    },
    async ({ query: { email, ...page } }, { people: { directory } }) => {
      const { limit, after } = pageOf(page);
      if (after !== undefined && (await directory.find(after)) instanceof Refusal)
        throw unknownAfter('a person');
      const { items, hasMore } = await directory.list({ limit, ...definedOf({ after, email }) });
      return listView(items.map(personView), hasMore);
    },
  ),
  route(
    {
      method: 'GET',
      path: ONE,
      group,
      summary: 'Retrieves a person',
      answer: person,
      returns: 'The person.',
      errors: ['not_found'],
    },
    async ({ params }, { people }) => personView(accepted(await people.directory.find(params.id))),
  ),
  route(
    {
      method: 'PATCH',
      path: ONE,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Changes the role of a person as an operator, or the address; only owners can',
      body: Type.Partial(
        Type.Object({ operator_role: orNull(Type.Enum(adminRoles)), email: Type.String(ADDRESS) }),
        closed,
      ),
      bodyExample: { operator_role: 'read_only' },
      answer: person,
      returns: 'The person. A new address counts as verified.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params: { id }, body: { email, operator_role: role }, actor }, { people: { directory } }) =>
      personView(accepted(await directory.change(id, { email, role }, { actor }))),
  ),
  route(
    {
      method: 'DELETE',
      path: ONE,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Removes a person from the dashboard; only owners can',
      answer: done,
      returns: 'The person is removed. Accounts and keys stay.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params: { id }, actor }, { people }) => {
      accepted(await people.directory.remove(id, { actor }));
      return doneView(id);
    },
  ),
  route(
    {
      method: 'POST',
      path: `${ONE}/links`,
      needsRecentSignIn: true,
      group,
      summary: 'Makes a link that verifies the address or sets a new password, to hand over',
      body: Type.Object({ kind: Type.Enum(['verification', 'reset']) }, closed),
      bodyExample: { kind: 'reset' },
      status: 201,
      answer: Type.Object({ link: Type.String() }),
      returns: 'The link. It is shown only in this answer.',
      errors: ['not_found', 'conflict', 'permission_denied'],
    },
    async ({ params, body, actor, exchange }, { people: { handedLinks } }) => {
      const link = await handedLinks.make(params.id, body.kind, {
        actor,
        isOwner: exchange.operatorRole === 'owner',
        origin: originOf(exchange),
        base: publicUrl(exchange),
      });
      return { link: accepted(link) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${ONE}/sessions`,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: "Ends a person's sessions",
      answer: done,
      returns: 'All sessions of the person have ended.',
      errors: ['not_found'],
    },
    async ({ params: { id }, actor }, { people }) => {
      accepted(await people.directory.endSessions(id, { actor }));
      return doneView(id);
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${ONE}/second-factor`,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Removes the second factor of a person and ends the sessions; only owners can',
      answer: done,
      returns: 'The person signs in with the password alone.',
      errors: ['not_found'],
    },
    async ({ params: { id }, actor }, { people }) => {
      accepted(await people.directory.removeSecondFactor(id, { actor }));
      return doneView(id);
    },
  ),
];
