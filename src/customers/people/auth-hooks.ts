/** The events and questions that the sign-in library passes on to the services for people. */
export type AuthHooks = {
  /** Sends the link that gives a person another address. */
  onNewEmail(change: { personId: string; email: string; token: string }): Promise<void>;
  /** Follows a person who has shown that the address is theirs. */
  onVerified(person: { id: string; email: string; name: string }): Promise<void>;
  /** Follows a person who can now sign in at a provider. The provider `credential` is the password. */
  onLinked(signIn: { userId: string; provider: string }): Promise<void>;
  /** Reports whether a person of another provider may get an account here. */
  mayJoin(person: { email: string; isVerified: boolean }): Promise<boolean>;
};
