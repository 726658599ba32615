/** An address under which browsers reach the server. */
export type AuthOrigin = { url: string; isSecure: boolean };

/** `existing`: somebody signs up with the address of a person, who is told. It has no link. */
export type LinkKind = 'verification' | 'reset' | 'invitation' | 'existing';

/** A link for a person. The token is the secret part. */
export type PersonalLink = { kind: LinkKind; email: string; token: string };

/** What the sign-in library tells the rest of the room. */
export type AuthHooks = {
  deliver(link: PersonalLink): Promise<void>;
  /** A person has shown that the address is theirs. */
  verified(person: { id: string; email: string; name: string }): Promise<void>;
};

/** A cookie with the prefix `__Host-` cannot come from a subdomain or over plain HTTP. Browsers accept it over HTTPS only. */
export const cookiePrefix = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}gateway`;

export const sessionCookieName = (isSecure: boolean): string => `${cookiePrefix(isSecure)}.session_token`;

/** The header that carries the client's address to the library. No client can set it, since calls have headers of their own. */
export const ADDRESS_HEADER = 'x-client-address';
