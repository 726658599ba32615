import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { MailCourier } from '../mail/mail-courier.ts';
import { AttemptLimits } from './attempt-limits.ts';
import { AuthLibrary } from './auth-library.ts';
import { Joining } from './joining.ts';
import { LinkPost } from './link-post.ts';
import { Memberships } from './memberships.ts';
import { PeopleDesk } from './people-desk.ts';
import { PeopleDirectory } from './people-directory.ts';
import type { PeopleStore } from './people-store.ts';
import { ProfileDesk } from './profile-desk.ts';
import { ProviderDesk } from './provider-desk.ts';
import { StoredVisitors } from './stored-visitors.ts';

export type PeopleRoomParts = {
  store: PeopleStore;
  accounts: Accounts;
  courier: MailCourier;
  config(): Config;
};

/** Connects the parts of the room. */
export function createPeopleRoom({ store, accounts, courier, config }: PeopleRoomParts) {
  const settings = () => config().dashboard;
  const post = new LinkPost({ store, courier, publicUrl: () => config().server.public_url });
  const memberships = new Memberships({ store, accounts, post });
  const joining = new Joining({ store, accounts, memberships, settings });
  const library = new AuthLibrary({
    store,
    hooks: {
      deliver: (link) => post.deliver(link),
      verified: (person) => joining.verified(person),
      verifiedByReset: (person) => joining.verifiedByReset(person),
      linked: (signIn) => joining.linked(signIn),
      mayJoin: (person) => joining.mayJoin(person),
    },
    secret: () => settings().secret,
    issuer: () => issuerOf(config()),
    providers: () => settings().providers,
  });
  return {
    ...{ store, post, memberships, joining },
    attempts: new AttemptLimits(store),
    people: new PeopleDesk({ store, library, accounts, memberships }),
    profiles: new ProfileDesk({ store, library }),
    providers: new ProviderDesk(library),
    directory: new PeopleDirectory({ store, library, memberships }),
    visitors: new StoredVisitors(store),
  };
}

export type PeopleRoom = ReturnType<typeof createPeopleRoom>;

/** The name in authenticator apps. */
const issuerOf = ({ server: { public_url: url } }: Config): string =>
  url === null || !URL.canParse(url) ? 'Gateway' : new URL(url).host;
