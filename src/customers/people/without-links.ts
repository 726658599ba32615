import { withoutEmailChange } from './email-changes.ts';
import type { PeopleWrite } from './people-store.ts';
import { withoutResetLinks } from './reset-links.ts';

/** Ends the links that would give a person another password or address. */
export const withoutLinks = (personId: string): PeopleWrite[] => [
  withoutEmailChange(personId),
  withoutResetLinks(personId),
];
