import { Refusal } from '../../base/errors/refusal.ts';
import { msOf } from '../../base/lib/units.ts';
import type { ClientGrant, ClientTimes } from '../../customers/device-sign-in/client-grant.ts';
import { DEVICE_CODE_S, POLL_S } from '../../customers/device-sign-in/device-sign-ins.ts';
import { GrantRefusal } from '../../customers/device-sign-in/grant-refusal.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { ClientParts, ClientRoute } from './client-parts.ts';
import { NO_STORE, oauthError, slowDown } from './oauth-answers.ts';
import {
  metadataDescription,
  revokeDescription,
  signInDescription,
  tokenDescription,
} from './oauth-descriptions.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const REFRESH_GRANT = 'refresh_token';
const PATHS = {
  device_authorization_endpoint: '/oauth/device_authorization',
  token_endpoint: '/oauth/token',
  revocation_endpoint: '/oauth/revoke',
} as const;
const MAX_FORM_BYTES = 16 * 1_024;

/** The metadata of RFC 8414. There is no address for a sign-in in the same browser. */
export const metadataRoute: ClientRoute = {
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  describe: metadataDescription,
  handle(exchange, { countNetwork }) {
    const refusal = countNetwork(exchange);
    if (refusal) return refusal;
    const issuer = publicUrl(exchange);
    const endpoints = Object.entries(PATHS).map(([name, path]) => [name, `${issuer}${path}`]);
    const metadata = {
      issuer,
      ...Object.fromEntries(endpoints),
      grant_types_supported: [DEVICE_GRANT, REFRESH_GRANT],
      token_endpoint_auth_methods_supported: ['none'],
    };
    return jsonReply(200, metadata, NO_STORE);
  },
};

/** Begins a sign-in (RFC 8628). The form has nothing that is needed. */
export const signInRoute: ClientRoute = {
  method: 'POST',
  path: PATHS.device_authorization_endpoint,
  describe: signInDescription,
  async handle(exchange, { attempts, signIns }) {
    const refusal = await attempts.count({ kind: 'device', networks: clientNetworks(exchange) });
    if (refusal) return slowDown(exchange, refusal);
    const { deviceCode, userCode } = await signIns.begin();
    const page = `${publicUrl(exchange)}/device`;
    const codes = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_CODE_S,
      interval: POLL_S,
    };
    return jsonReply(200, codes, NO_STORE);
  },
};

/** Gives out keys for approved codes and for refresh tokens. */
export const tokenRoute: ClientRoute = {
  method: 'POST',
  path: PATHS.token_endpoint,
  describe: tokenDescription,
  async handle(exchange, parts) {
    const form = await readForm(exchange, parts);
    if (!(form instanceof URLSearchParams)) return form;
    const times = timesOf(exchange);
    const type = form.get('grant_type');
    if (type === DEVICE_GRANT)
      return grantReply(await parts.signIns.redeem(form.get('device_code') ?? '', times), 400);
    if (type === REFRESH_GRANT)
      return grantReply(await parts.tokens.refresh(form.get('refresh_token') ?? '', times), 401);
    const description = `The grant type must be ${DEVICE_GRANT} or ${REFRESH_GRANT}.`;
    return oauthError(400, { error: 'unsupported_grant_type', description });
  },
};

/** Ends a sign-in (RFC 7009). The answer never shows whether the token was known. */
export const revokeRoute: ClientRoute = {
  method: 'POST',
  path: PATHS.revocation_endpoint,
  describe: revokeDescription,
  async handle(exchange, parts) {
    const form = await readForm(exchange, parts);
    if (!(form instanceof URLSearchParams)) return form;
    const token = form.get('token');
    if (token) await parts.tokens.revoke(token);
    return jsonReply(200, {}, NO_STORE);
  },
};

async function readForm(
  exchange: Exchange,
  { countNetwork, readBytes }: ClientParts,
): Promise<URLSearchParams | Reply> {
  const refusal = countNetwork(exchange);
  if (refusal) return slowDown(exchange, refusal);
  const bytes = await readBytes(exchange, MAX_FORM_BYTES);
  return bytes instanceof Refusal
    ? oauthError(bytes.status, { error: 'invalid_request', description: bytes.message })
    : new URLSearchParams(new TextDecoder().decode(bytes));
}

function timesOf({ snapshot }: Exchange): ClientTimes {
  const { key_s, refresh_s, sign_in_s } = snapshot.config.claude_code;
  return { keyMs: msOf(key_s), refreshMs: msOf(refresh_s), signInMs: msOf(sign_in_s) };
}

/** Answers with the key of a grant, or with the error of a refusal. */
function grantReply(grant: ClientGrant | GrantRefusal, status: 400 | 401): Reply {
  if (grant instanceof GrantRefusal) return oauthError(status, grant);
  const { secret, refreshToken, email, keyMs } = grant;
  return jsonReply(
    200,
    {
      access_token: secret,
      token_type: 'Bearer',
      expires_in: Math.floor(keyMs / 1_000),
      refresh_token: refreshToken,
      email,
    },
    NO_STORE,
  );
}
