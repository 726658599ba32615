import type { PersonView } from '../../../src/console/admin/people-view.ts';

export type OperatorRole = NonNullable<PersonView['operator_role']>;

export const operatorRoles: readonly { value: OperatorRole | ''; label: string }[] = [
  { value: '', label: 'No operator' },
  { value: 'read_only', label: 'Read only' },
  { value: 'operator', label: 'Operator' },
  { value: 'owner', label: 'Owner' },
];

export const operatorRoleName = (role: OperatorRole): string =>
  operatorRoles.find(({ value }) => value === role)!.label;
