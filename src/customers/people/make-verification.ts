import { createEmailVerificationToken } from 'better-auth/api';
import { verifyJWT } from 'better-auth/crypto';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Auth } from './create-auth.ts';

const LASTS_S = 86_400;

/** The address that the link of a verification names. `newEmail`: the link changes the person's address. */
export type Verification = {
  email: string;
  personId: string | undefined;
  newEmail: string | undefined;
  signUp: string | undefined;
};

/** Makes the token of a link that verifies an address, as the library does. It can belong to a sign-up. */
export async function makeVerification(
  auth: Auth,
  { id, email }: { id: string; email: string },
  signUp?: string,
): Promise<string> {
  const { secret } = await auth.$context;
  return createEmailVerificationToken(secret, email, undefined, LASTS_S, {
    userId: id,
    ...(signUp !== undefined && { signUp }),
  });
}

/** Reads a token. Returns undefined if it is not one of this server, or has expired. */
export async function readVerification(auth: Auth, token: string): Promise<Verification | undefined> {
  const fields = objectOf(await verifyJWT(token, (await auth.$context).secret));
  const email = textOf(fields.email);
  if (email === undefined) return undefined;
  const [personId, newEmail, signUp] = [fields.userId, fields.updateTo, fields.signUp].map(textOf);
  return { email, personId, newEmail, signUp };
}
