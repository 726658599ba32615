import type { PersonView } from '../../../src/console/admin/people-view.ts';

/** The properties of each part of a person's page. `path` is the person's path in the API. */
export type PersonPart = { path: string; person: PersonView; onChanged: () => Promise<void> };
