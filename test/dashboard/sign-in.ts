import { type Answer, type CallOptions, call } from '../support/call.ts';

/** A person with a session. */
export type SignedInPerson = {
  email: string;
  /** The value of a `Cookie` header. */
  cookie: string;
  /** Calls `/dashboard/v1…` with the session, as a page of the server does. */
  call(path: string, options?: CallOptions): Promise<Answer>;
};

type DashboardServer = { url: string; adminToken: string };

/** Returns the cookies that an answer sets, as a `Cookie` header. */
export const cookiesOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

/** Calls the dashboard's API as a page of the server does, without a session unless a cookie is given. */
export const callDashboard = (
  server: Pick<DashboardServer, 'url'>,
  path: string,
  { headers, ...options }: CallOptions = {},
): Promise<Answer> =>
  call(`${server.url}/dashboard/v1${path}`, {
    ...options,
    headers: { origin: new URL(server.url).origin, ...headers },
  });

export const PASSWORD = 'a long enough password';

/** Signs the holder of the admin token in, and makes a person with the token's role as an operator. */
export async function signInAsOperator(
  server: DashboardServer,
  email = 'operator@example.com',
): Promise<SignedInPerson> {
  const body = { token: server.adminToken, email, name: 'The operator', password: PASSWORD };
  return personOf(server, email, await callDashboard(server, '/session/admin-token', { body }));
}

export async function signInWithPassword(
  server: Pick<DashboardServer, 'url'>,
  email: string,
  password = PASSWORD,
  origin = new URL(server.url).origin,
): Promise<SignedInPerson> {
  const headers = { origin };
  const answer = await callDashboard(server, '/session/sign-in', { headers, body: { email, password } });
  return personOf(server, email, answer, headers);
}

function personOf(
  server: Pick<DashboardServer, 'url'>,
  email: string,
  answer: Answer,
  own: Record<string, string> = {},
): SignedInPerson {
  if (answer.status !== 200) throw new Error(`the sign-in answered ${answer.status}: ${answer.text}`);
  const cookie = cookiesOf(answer);
  return {
    email,
    cookie,
    call: (path, { headers, ...options } = {}) =>
      callDashboard(server, path, { ...options, headers: { cookie, ...own, ...headers } }),
  };
}
