import { randomText } from '../../base/lib/ids.ts';
import type { PeopleStore } from './people-store.ts';
import { matching } from './people-tests.ts';

const SECRET_LENGTH = 43;

/** Returns the secret of this name. The first process makes it and stores it, and all processes use it. */
export async function storedSecret(store: PeopleStore, name: string): Promise<string> {
  const find = async () => (await store.findPeople('people_secret', { where: matching({ name }) }))[0]?.value;
  const secret = await find();
  if (secret !== undefined) return secret;
  const row = { name, value: randomText(SECRET_LENGTH) };
  await store.changePeople({ writes: [{ kind: 'insert', table: 'people_secret', row }] });
  return String(await find());
}
