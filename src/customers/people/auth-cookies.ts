/** The time that a session lives after the latest visit. */
export const SESSION_S = 7 * 86_400;

/**
 * Returns the prefix of cookies. A cookie with the prefix `__Host-` cannot come from a subdomain or over
 * plain HTTP. Browsers accept it over HTTPS only.
 */
export const cookiePrefix = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}gateway`;

/** Returns the name of the cookie that holds a session's token. */
export const sessionCookieName = (isSecure: boolean): string => `${cookiePrefix(isSecure)}.session_token`;
