import type { PeopleStore } from './people-store.ts';

/** Reports whether a person is a member of an organization. */
export const isMemberIn =
  (store: Pick<PeopleStore, 'findPeople'>) =>
  async (accountId: string, personId: string): Promise<boolean> => {
    const where = [
      { column: 'account_id', value: accountId },
      { column: 'person_id', value: personId },
    ];
    return (await store.findPeople('membership', { where })).length > 0;
  };
