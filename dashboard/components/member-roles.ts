import type { MembersView } from '../../src/console/dashboard/organization-schema.ts';
import { optionsOf } from './options-of.ts';

export type MemberRole = MembersView['data'][number]['role'];

const roleNames: Readonly<Record<MemberRole, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  viewer: 'Viewer',
};

/** The roles of members, from the strongest. */
export const memberRoleOptions = optionsOf(roleNames);

export const memberRoleName = (role: MemberRole): string => roleNames[role];
