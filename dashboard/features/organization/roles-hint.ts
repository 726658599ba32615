/** Explains the roles where one is chosen. */
export const ROLES_HINT =
  'Owners manage people, plans and billing. Developers manage keys, send requests and read their content. Viewers read everything else.';
