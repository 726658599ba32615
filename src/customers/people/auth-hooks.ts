import type { PersonalLink } from './personal-link.ts';

/** The events and questions that the sign-in library passes on to the services for people. */
export type AuthHooks = {
  deliver(link: PersonalLink): Promise<void>;
  /** Is called when a person has shown that the address is theirs. */
  onVerified(person: { id: string; email: string; name: string }): Promise<void>;
  /** Is called when a person can sign in at a provider. `credential` is the password. */
  onLinked(signIn: { userId: string; provider: string }): Promise<void>;
  /** Reports whether a person of another provider may get an account here. */
  mayJoin(person: { email: string; isVerified: boolean }): Promise<boolean>;
};
