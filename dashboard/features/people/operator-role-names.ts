import type { PersonView } from '../../../src/console/admin/people-view.ts';

/** The names of the roles of operators, from the weakest. */
export const operatorRoleNames: Readonly<Record<NonNullable<PersonView['operator_role']>, string>> = {
  read_only: 'Read only',
  operator: 'Operator',
  owner: 'Owner',
};
