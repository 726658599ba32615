import type { PersonalLink } from './personal-link.ts';

/** The events and questions that the sign-in library passes on to the rest of the room. */
export type AuthHooks = {
  deliver(link: PersonalLink): Promise<unknown>;
  /** A person has shown that the address is theirs. */
  verified(person: { id: string; email: string; name: string }): Promise<void>;
  /** A person can now sign in at a provider. `credential` is the password. */
  linked(signIn: { userId: string; provider: string }): Promise<void>;
  /** Reports whether a person of another provider may get an account here. */
  mayJoin(person: { email: string; isVerified: boolean }): Promise<boolean>;
};
