import { createEmailVerificationToken } from 'better-auth/api';
import { randomText } from '../../base/lib/ids.ts';
import type { Auth } from './create-auth.ts';

const TOKEN_LENGTH = 43;
const RESET_MS = 3_600_000;
const VERIFICATION_S = 86_400;

/** Makes the token of a link as the library does for a mail. */
export async function makeToken(
  auth: Auth,
  kind: 'verification' | 'reset',
  { id, email }: { id: string; email: string },
): Promise<string> {
  const context = await auth.$context;
  if (kind === 'verification')
    return createEmailVerificationToken(context.secret, email, undefined, VERIFICATION_S, { userId: id });
  const token = randomText(TOKEN_LENGTH);
  await context.internalAdapter.createVerificationValue({
    ...{ value: id, identifier: `reset-password:${token}` },
    expiresAt: new Date(Date.now() + RESET_MS),
  });
  return token;
}
