import type { PeopleStore } from './people-store.ts';
import { matching } from './people-tests.ts';

/** Returns a function that reports whether a person is a member of an organization. */
export const isMemberIn =
  (store: PeopleStore) =>
  async (accountId: string, personId: string): Promise<boolean> => {
    const where = matching({ account_id: accountId, person_id: personId });
    return (await store.findPeople('membership', { where })).length > 0;
  };
