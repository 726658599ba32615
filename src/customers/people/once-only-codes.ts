import { APIError, createAuthMiddleware } from 'better-auth/api';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { PeopleStore } from './people-store.ts';
import { USED_CODE, UsedCodes } from './used-codes.ts';

const PATH = '/two-factor/verify-totp';
const CHALLENGE = 'two_factor';

/** Creates hooks of the sign-in library that let each code of an authenticator app sign in once. */
export function onceOnlyCodes(store: PeopleStore, now: () => number) {
  const codes = new UsedCodes(store, now);
  return {
    /**
     * Refuses a used code early, so that the sign-in can continue with the next code. The library answers
     * with the error that this hook returns. It does not catch one that is thrown.
     */
    beforeCode: createAuthMiddleware(async (context) => {
      const code = codeIn(context);
      if (code === undefined) return undefined;
      const { secret, internalAdapter, createAuthCookie } = context.context;
      const challenge = await context.getSignedCookie(createAuthCookie(CHALLENGE).name, secret);
      if (!challenge) return undefined;
      const personId = (await internalAdapter.findVerificationValue(challenge))?.value;
      return personId !== undefined && (await codes.has(personId, code)) ? usedCode() : undefined;
    }),
    /** Marks the code before the session begins. Of two sign-ins with one code, only one gets a session. */
    async beforeSession({ userId }: { userId: string }, context: CallContext | null): Promise<void> {
      const code = context === null ? undefined : codeIn(context);
      if (code !== undefined && !(await codes.use(userId, code))) throw usedCode();
    },
  };
}

type CallContext = { path?: string | undefined; body?: unknown };

/** Returns the code of an authenticator app, if a call of the library verifies one. */
const codeIn = ({ path, body }: CallContext): string | undefined =>
  path === PATH ? textOf(objectOf(body)['code']) : undefined;

const usedCode = () =>
  new APIError('UNAUTHORIZED', { code: USED_CODE, message: 'The code was used already.' });
