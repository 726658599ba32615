import { Refusal } from '../../base/errors/refusal.ts';
import { isOwnPage } from '../../base/lib/is-own-page.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary } from './auth-library.ts';
import { callAuth } from './call-auth.ts';

/** A provider of sign-ins, and the page of this server that the browser then goes to. */
export type ProviderVisit = { provider: string; returnTo: string };

/** The answer to a browser that comes back from a provider. */
export type ProviderReturn = {
  location: string;
  cookies: string[];
  /** A visit to sign in has failed. */
  isRefused?: boolean;
};

/**
 * Signs people in at other providers. Their pages send the browser back to
 * `/dashboard/v1/auth/callback/{provider}`.
 */
export class ProviderSignIns {
  readonly #library: AuthLibrary;

  constructor(library: AuthLibrary) {
    this.#library = library;
  }

  /** The cookies must be sent with the address of the provider. */
  leave(visit: ProviderVisit, caller: AuthCaller): Promise<ProviderReturn | Refusal> {
    return this.#leave(visit, caller, 'signInSocial');
  }

  /**
   * Adds a sign-in to the person of the session. The address at the provider must be the person's, and
   * verified.
   */
  leaveToLink(visit: ProviderVisit, caller: AuthCaller): Promise<ProviderReturn | Refusal> {
    return this.#leave(visit, caller, 'linkSocialAccount');
  }

  async #leave(
    { provider, returnTo }: ProviderVisit,
    caller: AuthCaller,
    method: 'signInSocial' | 'linkSocialAccount',
  ): Promise<ProviderReturn | Refusal> {
    // Everything else could lead a signed-in person elsewhere.
    if (!isOwnPage(returnTo)) return noPage();
    const { url } = caller.origin;
    const errorPage = method === 'signInSocial' ? '/sign-in' : returnTo;
    const body = {
      provider,
      callbackURL: `${url}${returnTo}`,
      errorCallbackURL: `${url}${errorPage}`,
      disableRedirect: true,
    };
    const answer = await callAuth(
      this.#library,
      caller,
      (api, options) =>
        method === 'signInSocial'
          ? api.signInSocial({ ...options, body })
          : api.linkSocialAccount({ ...options, body }),
      { withProviders: true },
    );
    if (answer instanceof Refusal) return answer;
    return { location: String(answer.body.url), cookies: answer.cookies };
  }

  /** Ends a visit to a provider. A failure goes to a page as `?error=…`. */
  async comeBack(provider: string, query: string, { origin, headers }: AuthCaller): Promise<ProviderReturn> {
    const auth = await this.#library.at(origin, { withProviders: true });
    const address = `${origin.url}/dashboard/v1/auth/callback/${encodeURIComponent(provider)}?${query}`;
    const response = await auth.handler(new Request(address, { headers }));
    const location = response.headers.get('location');
    const cookies = response.headers.getSetCookie();
    if (!location?.startsWith(`${origin.url}/`))
      return { location: `${origin.url}/sign-in?error=failed`, cookies, isRefused: true };
    const isRefused = location.startsWith(`${origin.url}/sign-in?`) && location.includes('error=');
    return { location, cookies, ...(isRefused && { isRefused }) };
  }
}

const noPage = (): Refusal =>
  new Refusal('invalid_request', { message: 'return_to must be a path of this server.', param: 'return_to' });
