/** An address under which browsers reach the server. */
export type AuthOrigin = { url: string; isSecure: boolean };
