import type { MembersView } from '../../../src/console/dashboard/organization-schema.ts';

export type MemberRow = MembersView['data'][number];
export type Role = MemberRow['role'];

export const roleOptions: readonly { value: Role; label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'developer', label: 'Developer' },
  { value: 'viewer', label: 'Viewer' },
];

export const roleName = (role: Role): string => roleOptions.find(({ value }) => value === role)!.label;

export const ROLES_HINT =
  'Owners manage people, plans and billing. Developers manage keys, send requests and read their content. Viewers read everything else.';
