/** A mail address that a link was sent to. `hash`: of the link's token. */
export type PendingAddress = { address: string; hash: string; sentAt: number; expiresAt: number };
