import { Refusal } from '../../base/errors/refusal.ts';
import { objectOf } from '../../base/json/read-json.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary, AuthView } from './auth-library.ts';
import { refusalOfAuth } from './auth-refusals.ts';
import type { Auth } from './create-auth.ts';

/** An answer of the sign-in library. */
export type AuthAnswer = { status: number; body: Readonly<Record<string, unknown>>; cookies: string[] };

/** Reads an answer. A refusal of the library becomes one of the gateway, without the library's words. */
export async function readAuthAnswer(response: Response): Promise<AuthAnswer | Refusal> {
  const text = await response.text();
  const body = text === '' ? {} : objectOf(JSON.parse(text));
  if (response.status < 400)
    return { status: response.status, body, cookies: response.headers.getSetCookie() };
  if (response.status >= 500)
    throw new Error(`the sign-in library failed: ${String(body.code ?? response.status)}`);
  return refusalOfAuth(body.code);
}

type Api = Auth['api'];
/** A call of the library's API. */
export type AuthCall = (api: Api, options: { headers: Headers; asResponse: true }) => Promise<Response>;

/** Calls the sign-in library for a browser. */
export async function callAuth(
  library: AuthLibrary,
  { origin, headers }: AuthCaller,
  call: AuthCall,
  view?: AuthView,
): Promise<AuthAnswer | Refusal> {
  const auth = await library.at(origin, view);
  try {
    return await readAuthAnswer(await call(auth.api, { headers, asResponse: true }));
  } catch (error) {
    // The queue for hashing refuses inside the library.
    if (error instanceof Refusal) return error;
    throw error;
  }
}
