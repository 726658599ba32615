/** Returns the bearer token of the authorization header. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
