/** What stands behind `Bearer` in the authorization header. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
