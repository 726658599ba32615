/** `existing`: somebody signs up with the address of a person, who is notified. It has no link. */
export type LinkKind = 'verification' | 'reset' | 'invitation' | 'existing';

/** A link for a person. The token is the secret part. */
export type PersonalLink = { kind: LinkKind; email: string; token: string };
