import type { Static } from 'typebox';
import { DAY_MS } from '../../base/lib/units.ts';
import { Type } from '../../base/schema/type.ts';
import { quirks } from '../../translation/canonical/quirk.ts';
import {
  REFUSED_WORD,
  refusedPreferences,
  refusedRequirements,
} from '../../translation/canonical/refused-word.ts';
import { reservedFields } from '../../translation/canonical/reserved-field.ts';
import { keyHeaders } from '../../translation/canonical/upstream-key-header.ts';
import { wires } from '../../translation/canonical/wire.ts';
import { AwsSchema, AzureSchema, GoogleSchema } from './cloud-schema.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, mapping, nullable, row, section } from './schema-parts.ts';

const milliseconds = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: DAY_MS, default: value, description });

const TimeoutsSchema = section(
  {
    connect_ms: milliseconds(5_000, 'Time to open the connection, in milliseconds.'),
    first_byte_ms: milliseconds(120_000, 'Time to the first byte of the answer, in milliseconds.'),
    idle_ms: milliseconds(60_000, 'Time between two parts of an answer, in milliseconds.'),
    total_ms: milliseconds(
      1_800_000,
      'Time of the whole call, in milliseconds, without the waits for the client of a stream.',
    ),
  },
  { description: 'Timeouts of calls to the provider.' },
);

export const WireSchema = choice(wires);

export const RefusesSchema = Type.Array(
  Type.String({
    pattern: REFUSED_WORD,
    expected: `one of ${[...refusedPreferences, ...refusedRequirements].join(', ')}, service_tier:NAME, image:TYPE`,
  }),
  {
    default: [],
    maxItems: 100,
    description:
      'Parameters that the upstream refuses. Refused preferences are not sent and are reported as losses. Requests with a refused requirement go to another route.',
  },
);

const ProbeSchema = row(
  {
    interval_s: Type.Number({
      minimum: 0.1,
      maximum: 86_400,
      default: 30,
      description: 'Seconds between two probes.',
    }),
    path: Type.String({
      ...namePatterns.path,
      default: '/models',
      description: 'Path of the probe, appended to base_url.',
    }),
  },
  { description: 'A small request that checks whether the provider is reachable.' },
);

export const ProviderSchema = row(
  {
    id: Type.String({ ...namePatterns.providerId, description: 'Id of the provider, used in routes.' }),
    wire: nullable(WireSchema, {
      description: 'Protocol of the provider. Use `wires` for several protocols.',
    }),
    wires: nullable(Type.Array(WireSchema, { minItems: 1 }), {
      description: 'Protocols of the provider.',
    }),
    base_url: nullable(Type.String(namePatterns.webAddress), {
      description:
        'Base URL, for example https://api.openai.com/v1. `null` means the address of Vertex AI in the region of `google`.',
    }),
    api_key: nullable(Type.String(namePatterns.secret), {
      description:
        'API key. Take it from an environment variable. `null` means that the provider needs no key.',
    }),
    key_header: nullable(choice(keyHeaders), {
      description: "Header that carries the API key. `null` means the header of the protocol's vendor.",
    }),
    aws: nullable(AwsSchema, {
      description:
        'AWS credentials that sign requests to Bedrock (Signature Version 4), instead of api_key. An empty section uses the order of the AWS SDKs.',
    }),
    azure: nullable(AzureSchema, {
      description:
        'Credentials of Microsoft Entra ID, instead of api_key. An empty section uses the order of the Azure SDKs.',
    }),
    google: nullable(GoogleSchema, {
      description:
        'Credentials of Google Cloud for Vertex AI, instead of api_key. An empty section uses application default credentials.',
    }),
    headers: mapping(namePatterns.headerName, Type.String(namePatterns.headerValue), {
      default: {},
      description: 'Additional request headers.',
    }),
    query: mapping(namePatterns.queryName, Type.String(namePatterns.headerValue), {
      default: {},
      description: 'Query parameters of every request, for example api-version on Azure.',
    }),
    quirks: Type.Array(choice(quirks), {
      default: [],
      maxItems: quirks.length,
      description: "Differences from the protocol's vendor.",
    }),
    refuses: RefusesSchema,
    forward_headers: nullable(Type.Array(Type.String(namePatterns.forwardedHeader), { maxItems: 50 }), {
      description:
        "Client headers that are forwarded if the client speaks the provider's own protocol. `null` means the vendor's headers for versions and previews (`anthropic-version`, `anthropic-beta`, `openai-beta`).",
    }),
    allow_fields: Type.Array(choice(reservedFields), {
      default: [],
      maxItems: reservedFields.length,
      description:
        'Members that are sent to this provider although they affect routing or name objects in your account. All of your clients share these objects. `media_urls` allows URLs of images and documents, for a provider in your network.',
    }),
    max_concurrent: nullable(Type.Integer({ minimum: 1 }), {
      description: 'Maximum concurrent requests. Further requests queue. `null` means no limit.',
    }),
    batch: choice(['none', 'native'], {
      default: 'none',
      description: "native: the gateway may send batch items to the provider's own batch API.",
    }),
    probe: nullable(ProbeSchema, {
      description: 'Regular health check. `null` means that health is judged by client requests only.',
    }),
    timeouts: TimeoutsSchema,
  },
  { description: 'A provider: a host that serves models.' },
);

export type ProviderRow = DeepReadonly<Static<typeof ProviderSchema>>;
