import { Type } from '../../base/schema/type.ts';
import type { OtherAnswer, RouteDescription } from '../../edge/http/route.ts';

const text = Type.String();
const GROUP = 'Claude Code';

const oauthProblem = (error: string, description: string): OtherAnswer => ({
  description,
  body: {
    schema: Type.Object({ error: text, error_description: text }),
    example: { error, error_description: description },
  },
});

/** Describes `GET /.well-known/oauth-authorization-server`. */
export const metadataDescription: RouteDescription = {
  group: GROUP,
  key: 'none',
  summary: 'Shows where clients sign people in (RFC 8414)',
  answer: 'The addresses of the sign-in.',
  answerSchema: Type.Object(
    {
      issuer: text,
      device_authorization_endpoint: text,
      token_endpoint: text,
      revocation_endpoint: text,
      grant_types_supported: Type.Array(text),
      token_endpoint_auth_methods_supported: Type.Array(text),
    },
    { title: 'Authorization Server' },
  ),
  errors: ['network_rate_limited'],
};

/** Describes `POST /oauth/device_authorization`. */
export const signInDescription: RouteDescription = {
  group: GROUP,
  key: 'none',
  summary:
    'Begins a sign-in: the client shows a code, and a person approves it on the page `/device` (RFC 8628)',
  answer: 'The codes. All fields of the request are ignored.',
  answerSchema: Type.Object(
    {
      device_code: Type.String({ description: 'For the token request.' }),
      user_code: Type.String({ description: 'For the person.' }),
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer(),
      interval: Type.Integer({ description: 'Seconds between two token requests.' }),
    },
    { title: 'Device Codes' },
  ),
  otherAnswers: { 429: oauthProblem('slow_down', 'A network has begun 30 sign-ins within an hour.') },
};

/** Describes `POST /oauth/token`. */
export const tokenDescription: RouteDescription = {
  group: GROUP,
  key: 'none',
  summary:
    'Gives out the key of an approved sign-in, or renews it. The body is a form: `grant_type` with `device_code` or `refresh_token`',
  answer: 'An API key of the person and the organization, with the refresh token of its next renewal.',
  answerSchema: Type.Object(
    {
      access_token: Type.String({ description: 'The API key.' }),
      token_type: Type.Literal('Bearer'),
      expires_in: Type.Integer({ description: 'Seconds until the key expires.' }),
      refresh_token: Type.String({ description: 'Works once. A second use revokes the key.' }),
      email: Type.String({ description: 'The address of the person.' }),
    },
    { title: 'Client Tokens' },
  ),
  otherAnswers: {
    400: oauthProblem('authorization_pending', 'The sign-in waits for its approval in the browser.'),
    401: oauthProblem('invalid_grant', 'The refresh token is unknown or has ended. Sign in again.'),
    429: oauthProblem('slow_down', 'Too many requests from your network.'),
  },
};

/** Describes `POST /oauth/revoke`. */
export const revokeDescription: RouteDescription = {
  group: GROUP,
  key: 'none',
  summary:
    'Ends a sign-in: the key and its refresh token (RFC 7009). The body is a form with one of them as `token`',
  answer: 'An empty object, whether the token was known or not.',
  answerSchema: Type.Object({}, { title: 'Nothing' }),
  otherAnswers: { 429: oauthProblem('slow_down', 'Too many requests from your network.') },
};
