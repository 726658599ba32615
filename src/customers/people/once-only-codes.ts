import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PeopleStore } from './people-store.ts';
import { USED_CODE, UsedCodes } from './used-codes.ts';

const PATH = '/two-factor/verify-totp';
const CHALLENGE = 'two_factor';

type CodeContext = { path?: string | undefined; body?: { code?: unknown } };

/** Hooks of the sign-in library that let each code of an authenticator app sign in once. */
export function onceOnlyCodes(store: PeopleStore, now: () => number) {
  const codes = new UsedCodes(store, now);
  return {
    /** Refuses a used code early, so that the sign-in can continue with the next code. */
    beforeCode: createAuthMiddleware(async (context) => {
      const { path, body } = context as CodeContext;
      if (path !== PATH || typeof body?.code !== 'string') return undefined;
      const { secret, internalAdapter, createAuthCookie } = context.context;
      const challenge = await context.getSignedCookie(createAuthCookie(CHALLENGE).name, secret);
      if (!challenge) return undefined;
      const personId = (await internalAdapter.findVerificationValue(challenge))?.value;
      return personId !== undefined && (await codes.has(personId, body.code)) ? usedCode() : undefined;
    }),
    /** Marks the code before the session begins. Of two sign-ins with one code, only one gets a session. */
    async beforeSession({ userId }: { userId: string }, context: CodeContext | null): Promise<void> {
      if (context?.path !== PATH || typeof context.body?.code !== 'string') return;
      if (!(await codes.use(userId, context.body.code))) throw usedCode();
    },
  };
}

const usedCode = () =>
  new APIError('UNAUTHORIZED', { code: USED_CODE, message: 'The code was used already.' });
