/** An address under which browsers reach the server. */
export type AuthOrigin = { url: string; isSecure: boolean };

/** `existing`: somebody signs up with the address of a person, who is notified. It has no link. */
export type LinkKind = 'verification' | 'reset' | 'invitation' | 'existing';

/** A link for a person. The token is the secret part. */
export type PersonalLink = { kind: LinkKind; email: string; token: string };

/** What the sign-in library passes on to the rest of the room. */
export type AuthHooks = {
  deliver(link: PersonalLink): Promise<unknown>;
  /** A person has shown that the address is theirs. */
  verified(person: { id: string; email: string; name: string }): Promise<void>;
  /** A person can now sign in at a provider. `credential` is the password. */
  linked(signIn: { userId: string; provider: string }): Promise<void>;
  /** Reports whether a person of another provider may get an account here. */
  mayJoin(person: { email: string; isVerified: boolean }): Promise<boolean>;
};

/** The time that a session lives after the latest visit. */
export const SESSION_S = 7 * 86_400;

/** A cookie with the prefix `__Host-` cannot come from a subdomain or over plain HTTP. Browsers accept it over HTTPS only. */
export const cookiePrefix = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}gateway`;

export const sessionCookieName = (isSecure: boolean): string => `${cookiePrefix(isSecure)}.session_token`;

/** The header that carries the client's address to the library. No client can set it, since calls have headers of their own. */
export const ADDRESS_HEADER = 'x-client-address';
