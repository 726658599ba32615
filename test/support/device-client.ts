import { type Answer, bearer, type Json } from './call.ts';
import type { TestServer } from './start-server.ts';

export type ClientSession = { access_token: string; refresh_token: string; email: string };
type Codes = { device_code: string; user_code: string };
type Approver = { call(path: string, options: { body: unknown }): Promise<Answer> };

/** Makes a client that signs people in as Claude Code does, and the page on which they decide. */
export function deviceClient(server: Pick<TestServer, 'call'>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, form: Record<string, string>): Promise<Answer> =>
    server.call(path, { headers, body: new URLSearchParams(form).toString() });
  const token = (form: Record<string, string>) => post('/oauth/token', form);
  const deviceForm = ({ device_code }: Pick<Codes, 'device_code'>) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
  });
  const beginRaw = () => post('/oauth/device_authorization', { surface: 'claude_code' });
  const begin = async (): Promise<Codes & Json> => (await beginRaw()).body;
  /** Returns the status of the decision. */
  const decide = async (
    person: Approver,
    { user_code }: Pick<Codes, 'user_code'>,
    account: string,
    { approve = true } = {},
  ) => (await person.call('/device', { body: { user_code, account, approve } })).status;
  const messages = (key: string) =>
    server.call('/v1/messages/count_tokens', {
      headers: bearer(key),
      body: { model: '@svc/gpt-oss-120b', messages: [{ role: 'user', content: 'hello' }] },
    });
  return {
    token,
    deviceForm,
    begin,
    beginRaw,
    decide,
    messages,
    async poll(codes: Pick<Codes, 'device_code'>) {
      const { status, body } = await token(deviceForm(codes));
      return { status, error: body.error as string | undefined };
    },
    refresh: (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token }),
    async revoke(secret: string) {
      const { status, body } = await post('/oauth/revoke', { token: secret });
      return [status, body];
    },
    async signIn(person: Approver, account: string): Promise<ClientSession> {
      const codes = await begin();
      await decide(person, codes, account);
      const { status, body, text } = await token(deviceForm(codes));
      if (status !== 200) throw new Error(`the sign-in answered ${status}: ${text}`);
      return body;
    },
    /** Returns the status of a request with the key. */
    usesKey: async (key: string) => (await messages(key)).status,
  };
}
