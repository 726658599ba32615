import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const EMAIL = 'ada@example.com';
const PASSWORD = 'a long enough password';

const formOf = (fields) => ({ method: 'POST', body: new URLSearchParams(fields) });

async function readJson(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return { body: JSON.parse(text), cookies: answer.headers.getSetCookie() };
}

/** Signs a person in to the dashboard, as its pages do, and approves a code. */
async function approve(url, adminToken, userCode) {
  const headers = { 'content-type': 'application/json', origin: url };
  const post = (path, body, cookie) =>
    readJson(`${url}/dashboard/v1${path}`, {
      method: 'POST',
      headers: { ...headers, ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    });
  const person = { token: adminToken, email: EMAIL, name: 'Ada', password: PASSWORD };
  const { cookies } = await post('/session/admin-token', person);
  const cookie = cookies.map((header) => header.split(';')[0]).join('; ');
  const session = await readJson(`${url}/dashboard/v1/session`, { headers: { cookie } });
  const account = session.body.organizations[0].id;
  await post('/device', { user_code: userCode, account, approve: true }, cookie);
}

/** The file in which the client keeps its credential, below its home. */
export function credentialFile(home) {
  const path = join(home, '.claude', '.credentials.json');
  return {
    exists: () => existsSync(path),
    read: () => JSON.parse(readFileSync(path, 'utf8')),
    write(value) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
    },
  };
}

/** Gets a key as the client does, and saves it where the client keeps it. */
export async function signIn({ url, adminToken }, credential) {
  const { body: metadata } = await readJson(`${url}/.well-known/oauth-authorization-server`);
  const { body: codes } = await readJson(metadata.device_authorization_endpoint, formOf({}));
  await approve(url, adminToken, codes.user_code);
  const { body: tokens } = await readJson(
    metadata.token_endpoint,
    formOf({ grant_type: metadata.grant_types_supported[0], device_code: codes.device_code }),
  );
  credential.write({
    gatewayTrust: { '127.0.0.1': 'http-loopback' },
    enterpriseGateway: {
      url,
      jwt: tokens.access_token,
      expiresAt: Date.now() + tokens.expires_in * 1_000,
      tokenEndpoint: metadata.token_endpoint,
      revocationEndpoint: metadata.revocation_endpoint,
      idpRefreshToken: tokens.refresh_token,
      email: tokens.email,
      vouchedAtLogin: false,
    },
  });
}
