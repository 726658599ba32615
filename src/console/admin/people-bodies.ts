import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { ADDRESS } from './name-texts.ts';
import { checkedBody } from './read-checked-body.ts';

const closed = { additionalProperties: false };

export const personChangeBody = checkedBody(
  Type.Partial(
    Type.Object({
      operator_role: Type.Union([Type.Enum(adminRoles), Type.Null()]),
      email: Type.String(ADDRESS),
    }),
    closed,
  ),
);

export const newLinkBody = checkedBody(Type.Object({ kind: Type.Enum(['verification', 'reset']) }, closed));

export const newInvitationBody = checkedBody(
  Type.Object({ email: Type.String(ADDRESS), role: Type.Enum(memberRoles) }, closed),
);

export const memberChangeBody = checkedBody(Type.Object({ role: Type.Enum(memberRoles) }, closed));
