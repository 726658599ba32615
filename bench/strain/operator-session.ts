import type { StrainedGateway } from './start-strained-gateway.ts';

const PERSON = { email: 'operator@example.com', password: 'a long enough password' };

type Headers = Readonly<Record<string, string>>;
type SignIn = { path: 'admin-token' | 'sign-in'; body: object; headers: Headers };

const post = ({ url }: StrainedGateway, { path, body, headers }: SignIn): Promise<Response> =>
  fetch(`${url}/dashboard/v1/session/${path}`, {
    method: 'POST',
    headers: { origin: url, ...headers },
    body: JSON.stringify(body),
  });

/** Returns the `cookie` header of the session that an answer has started. */
export async function cookieOf(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error(`the sign-in was refused: ${answer.status} ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((header) => header.split(';', 1)[0]);
  return cookies.join('; ');
}

/** Creates the operator, who is signed in by the answer. */
export const createOperator = (gateway: StrainedGateway, headers: Headers): Promise<Response> =>
  post(gateway, {
    path: 'admin-token',
    body: { ...PERSON, name: 'Operator', token: gateway.token },
    headers,
  });

/** Signs the operator in with the right password. */
export const signInOperator = (gateway: StrainedGateway, headers: Headers): Promise<Response> =>
  post(gateway, { path: 'sign-in', body: PERSON, headers });
