import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { MailCourier } from '../mail/mail-courier.ts';
import { AttemptLimits } from './attempt-limits.ts';
import { AuthLibrary } from './auth-library.ts';
import { ChangeNotices } from './change-notices.ts';
import { EmailChanges } from './email-changes.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { HandedLinks } from './handed-links.ts';
import { HashingQueue } from './hashing-queue.ts';
import { Invitations } from './invitations.ts';
import { Joining } from './joining.ts';
import { KnownDevices } from './known-devices.ts';
import { LinkPost } from './link-post.ts';
import { LinkService } from './link-service.ts';
import { Memberships } from './memberships.ts';
import { PeopleDirectory } from './people-directory.ts';
import { PeopleService } from './people-service.ts';
import type { PeopleStore } from './people-store.ts';
import { findPersonByEmail } from './person.ts';
import type { PersonalLink } from './personal-link.ts';
import { ProfileService } from './profile-service.ts';
import { ProviderSignIns } from './provider-sign-ins.ts';
import { ResetLinks } from './reset-links.ts';
import { signInNameOf } from './sign-in-providers.ts';
import { SignInRecorder } from './sign-in-recorder.ts';
import { SignUps } from './sign-ups.ts';
import { StoredVisitors } from './stored-visitors.ts';
import { TwoFactorService } from './two-factor-service.ts';

export type PeopleServicesParts = {
  store: PeopleStore;
  accounts: Accounts;
  courier: MailCourier;
  config(): Config;
  /** Drops the copies of an organization's keys. */
  forgetKeys(accountId: string): void;
  /** The time of sessions. The sign-in library takes it from the system's clock. */
  now(): number;
  /** Reports that an entry of the audit log could not be written. */
  onNotRecorded(error: unknown): void;
};

/** Creates the services for people, sign-ins, members and invitations. */
export function createPeopleServices({
  store,
  accounts,
  courier,
  config,
  forgetKeys,
  now,
  onNotRecorded,
}: PeopleServicesParts) {
  const settings = () => config().dashboard;
  const publicUrl = () => config().server.public_url;
  const post = new LinkPost({ store, courier, publicUrl, now });
  const notices = new ChangeNotices({ courier, publicUrl });
  const nameOf = (provider: string) => signInNameOf(provider, settings().providers);
  const memberships = new Memberships({ store, accounts, forgetKeys, now });
  const invitations = new Invitations({
    store,
    accounts,
    memberships,
    post,
    now,
    limits() {
      const { members_per_organization: members, invitations_per_organization: invitations } =
        config().limits;
      return { members, invitations };
    },
  });
  const joining = new Joining({ store, accounts, memberships, invitations, notices, nameOf, settings, now });
  const hashing = new HashingQueue();
  const signUps = new SignUps({ store, now });
  const resets = new ResetLinks({ store, now });
  const emailChanges = new EmailChanges({ store, now });
  const failedSignIns = new FailedSignIns({
    accounts,
    personWith: async (email) => (await findPersonByEmail(store, email))?.id,
    now,
    onFailure: onNotRecorded,
  });
  const deliver = (link: PersonalLink) => post.deliver(link);
  const library = new AuthLibrary({
    store,
    hashing,
    now,
    hooks: {
      async onNewEmail({ personId, email, token }) {
        await emailChanges.keep(personId, token);
        await deliver({ kind: 'verification', email, token });
      },
      onVerified: (person) => joining.onVerified(person),
      onLinked: (signIn) => joining.onLinked(signIn),
      mayJoin: (person) => joining.mayJoin(person),
    },
    secret: () => settings().secret,
    issuer: () => issuerOf(config()),
    providers: () => settings().providers,
  });
  const directory = new PeopleDirectory({ store, memberships, notices, now });
  return {
    store,
    post,
    memberships,
    invitations,
    joining,
    hashing,
    failedSignIns,
    signIns: new SignInRecorder({ store, library, accounts, failures: failedSignIns }),
    attempts: new AttemptLimits({ store, now }),
    devices: new KnownDevices(library),
    people: new PeopleService({ store, library, accounts, memberships, invitations, notices, now }),
    links: new LinkService({ store, library, signUps, resets, emailChanges, joining, notices, deliver }),
    profiles: new ProfileService({ store, library, notices, nameOf, now }),
    twoFactor: new TwoFactorService({ store, library, notices, now }),
    providers: new ProviderSignIns(library),
    directory,
    handedLinks: new HandedLinks({ store, library, directory, signUps, resets, now }),
    visitors: new StoredVisitors({ store, now }),
  };
}

export type PeopleServices = ReturnType<typeof createPeopleServices>;

/** Returns the name in authenticator apps. */
const issuerOf = ({ server: { public_url: url } }: Config): string =>
  url === null || !URL.canParse(url) ? 'Gateway' : new URL(url).host;
