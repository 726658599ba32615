import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { listOf, orNull } from './admin-answers.ts';
import { pageParameters } from './page-parameters.ts';
import { invitation, member, newInvitation, person } from './people-answers.ts';
import { memberChangeBody, newInvitationBody, newLinkBody, personChangeBody } from './people-bodies.ts';

const text = Type.String();
const done = Type.Object({ id: text, done: Type.Literal(true) });

const people = { group: 'Admin: people', key: 'admin' } as const;

/** Describes the routes for people, members and invitations. */
export const peopleDescriptions = {
  list: {
    ...people,
    summary: 'Lists the people who can sign in to the dashboard',
    query: [...pageParameters, { name: 'email', description: 'Returns only the person with this address.' }],
    answer: 'A page of people.',
    answerSchema: listOf(person),
    errors: ['invalid_request'],
  },
  get: {
    ...people,
    summary: 'Retrieves a person',
    answer: 'The person.',
    answerSchema: person,
    errors: ['not_found'],
  },
  change: {
    ...people,
    summary: 'Changes the role of a person as an operator, or the address; only owners can',
    body: personChangeBody.schema,
    bodyExample: { operator_role: 'read_only' },
    answer: 'The person. A new address counts as verified.',
    answerSchema: person,
    errors: ['not_found', 'conflict'],
  },
  remove: {
    ...people,
    summary: 'Removes a person from the dashboard; only owners can',
    answer: 'The person is removed. Accounts and keys stay.',
    answerSchema: done,
    errors: ['not_found', 'conflict'],
  },
  makeLink: {
    ...people,
    summary: 'Makes a link that verifies the address or sets a new password, to hand over',
    body: newLinkBody.schema,
    bodyExample: { kind: 'reset' },
    answer: 'The link. It is shown only in this answer.',
    answerStatus: 201,
    answerSchema: Type.Object({ link: text }),
    errors: ['not_found', 'conflict', 'permission_denied'],
  },
  endSessions: {
    ...people,
    summary: "Ends a person's sessions",
    answer: 'All sessions of the person have ended.',
    answerSchema: done,
    errors: ['not_found'],
  },
  removeSecondFactor: {
    ...people,
    summary: 'Removes the second factor of a person and ends the sessions; only owners can',
    answer: 'The person signs in with the password alone.',
    answerSchema: done,
    errors: ['not_found'],
  },
  listMembers: {
    ...people,
    summary: 'Lists the members of an account',
    answer: 'The members, oldest first.',
    answerSchema: listOf(member),
    errors: ['not_found'],
  },
  changeMember: {
    ...people,
    summary: 'Changes the role of a member of an account',
    body: memberChangeBody.schema,
    bodyExample: { role: 'owner' },
    answer: 'The role is changed.',
    answerSchema: done,
    errors: ['not_found', 'conflict'],
  },
  removeMember: {
    ...people,
    summary: 'Removes a member from an account',
    answer: 'The member is removed.',
    answerSchema: done,
    errors: ['not_found', 'conflict'],
  },
  listInvitations: {
    ...people,
    summary: 'Lists the open invitations to an account',
    answer: 'The invitations, oldest first.',
    answerSchema: listOf(invitation),
    errors: ['not_found'],
  },
  invite: {
    ...people,
    summary: 'Invites an address to an account; an earlier invitation of the address ends',
    body: newInvitationBody.schema,
    bodyExample: { email: 'ada@example.com', role: 'owner' },
    answer: 'The invitation.',
    answerStatus: 201,
    answerSchema: newInvitation,
    errors: ['not_found', 'conflict', 'limit_reached'],
  },
  withdraw: {
    ...people,
    summary: 'Withdraws an invitation',
    answer: 'The invitation is withdrawn.',
    answerSchema: done,
    errors: ['not_found'],
  },
  mail: {
    ...people,
    summary: "Shows the state of this node's mail",
    answer: 'The counts since the start of the node, and its latest failure.',
    answerSchema: Type.Object(
      {
        configured: Type.Boolean(),
        waiting: Type.Integer(),
        sent: Type.Integer(),
        failed: Type.Integer(),
        last_failure: orNull(
          Type.Object({ at: time, kind: text, error: text, final: Type.Boolean() }),
          'Null: no mail has failed.',
        ),
      },
      { title: 'Mail State' },
    ),
  },
} satisfies Record<string, RouteDescription>;
