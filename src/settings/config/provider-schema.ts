import { type Static, Type } from 'typebox';
import { keyHeaders, quirks } from '../../translation/canonical/quirk.ts';
import { reservedFields } from '../../translation/canonical/reserved-field.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, mapping, nullable, row, section } from './schema-parts.ts';

const LONGEST_MS = 86_400_000;

const milliseconds = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: LONGEST_MS, default: value, description });

const TimeoutsSchema = section(
  {
    connect_ms: milliseconds(5_000, 'Until the connection stands.'),
    first_byte_ms: milliseconds(120_000, 'Until the answer begins.'),
    idle_ms: milliseconds(60_000, 'Between two pieces of an answer.'),
    total_ms: milliseconds(1_800_000, 'The whole call.'),
  },
  { description: 'How long calls to it may take.' },
);

export const WireSchema = choice(wires);

const AwsSchema = row(
  {
    region: nullable(Type.String(namePatterns.awsRegion), {
      description: 'Where the models run, like eu-west-1. Null: the region that base_url names.',
    }),
    access_key_id: Type.String({ ...namePatterns.secret, minLength: 1, description: 'The key pair’s id.' }),
    secret_access_key: Type.String({
      ...namePatterns.secret,
      minLength: 1,
      description: 'The key pair’s secret, best taken from the environment.',
    }),
    session_token: nullable(Type.String(namePatterns.secret), {
      description: 'Goes with key pairs that last for a time only.',
    }),
  },
  { description: 'A key pair of AWS.' },
);

const ProbeSchema = row(
  {
    interval_s: Type.Number({
      minimum: 0.1,
      maximum: 86_400,
      default: 30,
      description: 'From one probe to the next.',
    }),
    path: Type.String({
      ...namePatterns.path,
      default: '/models',
      description: 'What is asked for, behind base_url.',
    }),
  },
  { description: 'A small request that finds out whether it is there.' },
);

export const ProviderSchema = row(
  {
    id: Type.String({ ...namePatterns.providerId, description: 'Its name in routes.' }),
    wire: nullable(WireSchema, { description: 'The protocol that it serves; for several use `wires`.' }),
    wires: nullable(Type.Array(WireSchema, { minItems: 1 }), {
      description: 'The protocols that it serves.',
    }),
    base_url: Type.String({
      ...namePatterns.webAddress,
      description: 'Where it is, like https://api.openai.com/v1.',
    }),
    api_key: nullable(Type.String(namePatterns.secret), {
      description: 'Its key, best taken from the environment. Null: it asks for none.',
    }),
    key_header: nullable(choice(keyHeaders), {
      description: "The header that its key goes in. Null: that of the protocol's own vendor.",
    }),
    aws: nullable(AwsSchema, {
      description: 'Signs requests to Bedrock (Signature Version 4), in place of an api_key.',
    }),
    headers: mapping(namePatterns.headerName, Type.String(namePatterns.headerValue), {
      default: {},
      description: 'Further request headers.',
    }),
    query: mapping(namePatterns.queryName, Type.String(namePatterns.headerValue), {
      default: {},
      description: 'Goes with the address of every request, like the api-version of Azure.',
    }),
    quirks: Type.Array(choice(quirks), {
      default: [],
      maxItems: quirks.length,
      description: "In what it differs from the protocol's own vendor.",
    }),
    forward_headers: nullable(Type.Array(Type.String(namePatterns.forwardedHeader), { maxItems: 50 }), {
      description:
        "Headers of a client that travel on where it speaks the provider's own protocol. Null: those in which the vendor is asked for versions and previews (`anthropic-version`, `anthropic-beta`, `openai-beta`).",
    }),
    allow_fields: Type.Array(choice(reservedFields), {
      default: [],
      maxItems: reservedFields.length,
      description:
        'Members that reach this provider although they choose what serves the request, or name objects of your account there. All of your clients share those objects. `media_urls`: URLs of images and documents, for a provider within your network.',
    }),
    max_concurrent: nullable(Type.Integer({ minimum: 1 }), {
      description: 'Requests at a time; past it they queue. Null: no limit.',
    }),
    batch: choice(['none', 'native'], {
      default: 'none',
      description: "native: the provider's own batch transport may be used.",
    }),
    probe: nullable(ProbeSchema, {
      description: 'Asks it now and then whether it is there. Null: only real requests tell.',
    }),
    timeouts: TimeoutsSchema,
  },
  { description: 'A host that serves models.' },
);

export type ProviderRow = DeepReadonly<Static<typeof ProviderSchema>>;
