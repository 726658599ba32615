import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { planIds } from '../plans/plan.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, row, section } from './schema-parts.ts';

const SignInProviderSchema = row(
  {
    id: nullable(
      Type.String({
        pattern: '^[a-z][a-z0-9-]{0,31}$',
        expected: 'a letter, then at most 31 letters, digits and dashes, all in lower case',
      }),
      {
        description:
          'For oidc: part of the redirect address, `/dashboard/v1/auth/callback/{id}`. The other kinds have the id of their kind.',
      },
    ),
    kind: choice(['google', 'github', 'microsoft', 'oidc'], {
      description: 'oidc: any issuer with a discovery document.',
    }),
    name: nullable(Type.String({ minLength: 1, maxLength: 40 }), {
      description: 'Text of the button. `null` means the name of the kind.',
    }),
    client_id: Type.String({ minLength: 1, description: 'From the registration at the provider.' }),
    client_secret: Type.String({
      minLength: 1,
      ...namePatterns.secret,
      description: 'From the registration at the provider.',
    }),
    issuer: nullable(Type.String(namePatterns.webAddress), {
      description: 'For oidc: the address of the issuer, without `/.well-known/openid-configuration`.',
    }),
    tenant: nullable(Type.String({ pattern: '^[A-Za-z0-9.-]{1,100}$', expected: 'an id or a domain' }), {
      description: 'For microsoft: the directory. `null` means `common`.',
    }),
  },
  { description: 'A provider of sign-ins over OAuth 2 or OpenID Connect.' },
);

/** A provider of sign-ins, as configured. */
export type SignInProviderRow = DeepReadonly<Static<typeof SignInProviderSchema>>;

export const DashboardSchema = section(
  {
    sign_up: choice(['invitation', 'open'], {
      default: 'invitation',
      description: 'invitation: people come by invitation only. open: everybody can sign up.',
    }),
    sign_up_plan: choice(planIds, {
      default: 'free',
      description: 'Plan of the account that a person gets who signs up without an invitation.',
    }),
    secret: nullable(Type.String({ minLength: 32, ...namePatterns.secret }), {
      description:
        'Secret that signs cookies and links, and encrypts the secrets of authenticator apps. `null` means that one is made and kept in the store.',
    }),
    requests_per_min: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 600,
      description:
        "Maximum requests to the dashboard's API in any 60 seconds of one session, at each process.",
    }),
    network_requests_per_min: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1_200,
      description:
        "Maximum requests to the dashboard's API in any 60 seconds from one client network, at each process. `/docs` and the pages below it, `/openapi.json` and, without a token, `/metrics` count too.",
    }),
    session_max_s: Type.Integer({
      minimum: 3_600,
      maximum: 31_536_000,
      default: 2_592_000,
      description:
        'Maximum age of a session in seconds, however often it is used. The person must then sign in again.',
    }),
    two_factor: choice(['optional', 'operators', 'everyone'], {
      default: 'optional',
      description:
        'operators, everyone: these people have no role until they have turned two-factor sign-in on. A person without a password is exempt, since the provider of the sign-in decides.',
    }),
    providers: Type.Array(SignInProviderSchema, {
      default: [],
      maxItems: 16,
      description: 'Providers of sign-ins, in addition to email and password.',
    }),
  },
  { description: 'Sign-in to the dashboard.' },
);
