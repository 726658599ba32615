import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';

type IssuerPerson = { sub: string; email: string; email_verified: boolean; name: string };

type IssuerState = {
  person: IssuerPerson;
  /** The nonce of the latest sign-in. */
  nonce: string | null;
  /** A token with another algorithm than `RS256` is signed with the public key as a secret, or not at all. */
  algorithm: 'RS256' | 'HS256' | 'none';
  /** True if tokens are signed with a key that the issuer does not publish. */
  forges: boolean;
  omitsIdToken: boolean;
  /** Claims in place of the right ones. */
  claims: Record<string, unknown>;
  /** The name of the issuer in its document and in its tokens. The default is its address. */
  name: string | null;
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts an OpenID Connect issuer that signs everybody in as `person`, without a page. */
export function startIssuer(clientId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const state: IssuerState = {
    person: { sub: 'one', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    nonce: null,
    algorithm: 'RS256',
    forges: false,
    omitsIdToken: false,
    claims: {},
    name: null,
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const url = new URL(request.url);
      return answers[url.pathname]?.(url) ?? new Response('', { status: 404 });
    },
  });
  const issuer = server.url.origin;

  function idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: state.name ?? issuer,
      aud: clientId,
      iat: now,
      exp: now + 60,
      nonce: state.nonce,
      ...state.person,
      ...state.claims,
    };
    const unsigned = `${encode({ alg: state.algorithm, kid: 'k', typ: 'JWT' })}.${encode(claims)}`;
    return `${unsigned}.${sign(unsigned)}`;
  }

  function sign(unsigned: string): string {
    if (state.algorithm === 'none') return '';
    if (state.algorithm === 'HS256')
      return createHmac('sha256', publicKey.export({ format: 'pem', type: 'spki' }))
        .update(unsigned)
        .digest('base64url');
    const key = state.forges ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey;
    return createSign('RSA-SHA256').update(unsigned).sign(key, 'base64url');
  }

  const answers: Record<string, (url: URL) => Response> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer: state.name ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      }),
    '/keys': () =>
      Response.json({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      }),
    '/authorize': ({ searchParams }) => {
      state.nonce = searchParams.get('nonce');
      const back = new URL(searchParams.get('redirect_uri')!);
      back.search = String(new URLSearchParams({ code: 'a-code', state: searchParams.get('state')! }));
      return Response.redirect(back.href);
    },
    '/token': () =>
      Response.json({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        ...(!state.omitsIdToken && { id_token: idToken() }),
      }),
    '/me': () => Response.json(state.person),
  };

  return {
    issuer,
    state,
    stop: () => server.stop(true),
  };
}
