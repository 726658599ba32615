import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';

export type Member = MembersView['data'][number];

/** Reads the members of the organization. They are undefined while the answer is on its way. */
export const useMembers = (): readonly Member[] | undefined =>
  useQuery<MembersView>(inOrganization('/members')).data?.data;

export const memberName = ({ name, email }: Member): string => name || email;
