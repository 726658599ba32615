import { isMetadataHost } from '../../base/lib/is-metadata-host.ts';
import { regionOfHost } from '../../base/lib/region-of-host.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { CatalogFile, CatalogModelRow } from './catalog-schema.ts';
import { dateProblem, modelPriceProblems, replacedPriceProblems } from './condition-problems.ts';
import type { Config } from './config-schema.ts';
import { connectionParameters } from './connection-parameters.ts';
import type { SignInProviderRow } from './dashboard-schema.ts';
import { isNetwork } from './is-network.ts';
import { isReachableAddress } from './is-reachable-address.ts';
import { kindProblems } from './kind-problems.ts';
import { listenAddressOf } from './listen-address.ts';
import type { ProviderRow } from './provider-schema.ts';
import type { CrossCheck } from './read-document.ts';
import { securityTxtProblems } from './security-txt-schema.ts';
import { PORT } from './server-schema.ts';

type Path = (string | number)[];

/** Finds repeated ids, at each place after the first. */
function repeatedIds(rows: readonly { id: string }[], noun: string, path: Path): SchemaProblem[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ id }, index) => {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    const message = `must be unique; the ${noun} at position ${earlier} also has the id '${id}'`;
    return earlier === undefined ? [] : [{ path: [...path, index, 'id'], message }];
  });
}

/** Finds rules of redaction whose expression is invalid. */
function expressionProblems(rules: readonly { pattern: string }[]): SchemaProblem[] {
  return rules.flatMap(({ pattern }, index) => {
    try {
      new RegExp(pattern, 'gu');
      return [];
    } catch {
      return [
        { path: ['payloads', 'redact', index, 'pattern'], message: 'must be a valid regular expression' },
      ];
    }
  });
}

function wireProblems(providers: readonly ProviderRow[]): SchemaProblem[] {
  return providers.flatMap(({ wire, wires }, index): SchemaProblem[] => {
    if (wire === null && wires === null) {
      return [
        { path: ['providers', index, 'wire'], message: 'is required (or `wires` for several protocols)' },
      ];
    }
    if (wire === null || wires === null) return [];
    return [
      { path: ['providers', index, 'wires'], message: 'cannot be combined with `wire`; use one of the two' },
    ];
  });
}

/** A provider has one way to show who it is. */
function cloudProblems(row: ProviderRow, index: number): SchemaProblem[] {
  const ways = (['api_key', 'aws', 'azure', 'google'] as const).filter((name) => row[name]);
  const problem = (field: string[], message: string) => ({ path: ['providers', index, ...field], message });
  const [, second] = ways;
  return [
    ...(second === undefined
      ? []
      : [problem([second], `cannot be combined with \`${ways[0]}\`; use one of the two`)]),
    ...(row.base_url === null && !row.google ? [problem(['base_url'], 'is required')] : []),
    ...addressOfMetadata(row, problem),
    ...ownHeaderProblems(row, problem),
    ...awsProblems(row, problem),
    ...googleProblems(row, problem),
  ];
}

type Problem = (field: string[], message: string) => SchemaProblem;

/** The credentials of a cloud make the header `authorization`, so a row that sets one would have two. */
function ownHeaderProblems({ headers, key_header, ...row }: ProviderRow, problem: Problem): SchemaProblem[] {
  const cloud = (['aws', 'azure', 'google'] as const).find((name) => row[name]);
  if (cloud === undefined) return [];
  const message = `cannot be combined with \`${cloud}\`, which sets the header authorization`;
  const own = Object.keys(headers).filter((name) => name.toLowerCase() === 'authorization');
  return [
    ...own.map((name) => problem(['headers', name], message)),
    ...(key_header === null ? [] : [problem(['key_header'], message)]),
  ];
}

/** Refuses a metadata server as a provider. Its answers are secrets, which only credentials may use. */
const addressOfMetadata = ({ base_url }: ProviderRow, problem: Problem): SchemaProblem[] =>
  isMetadataHost(URL.parse(base_url ?? '')?.hostname ?? '')
    ? [problem(['base_url'], 'must not be the address of a metadata server')]
    : [];

/**
 * The wires whose requests can be forms, which are sent as a stream.
 * A signature of AWS covers the whole body.
 */
const WIRES_OF_FORMS: readonly string[] = ['openai-audio', 'openai-images'];

/** Hosts of Bedrock name the region. Each wire of Bedrock is signed alike. */
function awsProblems({ aws, base_url, wire, wires }: ProviderRow, problem: Problem): SchemaProblem[] {
  if (aws === null) return [];
  const unsigned = [wire, ...(wires ?? [])].find((name) => name !== null && WIRES_OF_FORMS.includes(name));
  const isHalf = (aws.access_key_id === null) !== (aws.secret_access_key === null);
  const hasRegion = aws.region !== null || regionOfHost(URL.parse(base_url ?? '')?.hostname ?? '');
  return [
    ...(unsigned ? [problem(['aws'], `cannot be combined with the wire ${unsigned}`)] : []),
    ...(isHalf ? [problem(['aws'], 'needs both access_key_id and secret_access_key, or neither')] : []),
    ...(hasRegion ? [] : [problem(['aws', 'region'], 'is required, since base_url contains no region')]),
  ];
}

const VERTEX_WIRES = new Set<string | null>(['google-generate', 'anthropic-messages']);

function googleProblems({ google, wire, wires, batch }: ProviderRow, problem: Problem): SchemaProblem[] {
  if (google === null) return [];
  const isOther = (wires ?? [wire]).some((spoken) => !VERTEX_WIRES.has(spoken));
  return [
    ...(isOther ? [problem(['google'], 'is only for the wires google-generate and anthropic-messages')] : []),
    ...(batch === 'native' ? [problem(['batch'], 'must be none, since Vertex AI has no such batches')] : []),
  ];
}

/** Bedrock lists its models at a different address, so a probe of this one proves nothing. */
const probeProblems = ({ probe, wire, wires }: ProviderRow, index: number): SchemaProblem[] =>
  probe !== null && (wires ?? [wire]).includes('bedrock-converse')
    ? [{ path: ['providers', index, 'probe'], message: 'is not supported on the wire bedrock-converse' }]
    : [];

function addressProblems(address: string | null, path: Path): SchemaProblem[] {
  if (address === null || isReachableAddress(address)) return [];
  // The message omits the address, which may contain a secret.
  return [{ path, message: 'must have a valid host and, if it has a port, one from 1 to 65535' }];
}

const modelProblems = (models: readonly CatalogModelRow[], path: Path): SchemaProblem[] =>
  models.flatMap((model, index) => kindProblems(model, [...path, index]));

const passingProblems = ({ catalog }: Config): SchemaProblem[] =>
  catalog.unknown_models === 'pass' && catalog.default_pricing_usd_per_mtok === null
    ? [
        {
          path: ['catalog', 'default_pricing_usd_per_mtok'],
          message: 'is required, since unknown_models is pass',
        },
      ]
    : [];

function proxyProblems(proxies: readonly string[]): SchemaProblem[] {
  return proxies.flatMap((proxy, index): SchemaProblem[] =>
    isNetwork(proxy)
      ? []
      : [
          {
            path: ['server', 'trusted_proxies', index],
            message: 'must be an IP address or a CIDR block like 10.0.0.0/8',
          },
        ],
  );
}

function adminListenProblems({ admin_listen: address }: Config['server']): SchemaProblem[] {
  const port = address === null ? 0 : listenAddressOf(address).port;
  return port <= PORT.maximum
    ? []
    : [{ path: ['server', 'admin_listen'], message: `must have a port from 0 to ${PORT.maximum}` }];
}

/** The message omits the address, which may contain a secret. */
const repeatedWebhooks = (urls: readonly string[]): SchemaProblem[] =>
  urls.flatMap((url, index): SchemaProblem[] => {
    const earlier = urls.indexOf(url);
    if (earlier === index) return [];
    const message = `must be unique; the webhook at position ${earlier} has the same address`;
    return [{ path: ['alerts', 'webhooks', index, 'url'], message }];
  });

const purchaseProblems = ({ min_usd, max_usd }: Config['purchases']): SchemaProblem[] =>
  min_usd <= max_usd
    ? []
    : [{ path: ['purchases', 'min_usd'], message: `must not exceed max_usd, which is ${max_usd}` }];

function signInProblems({ id, kind, issuer, tenant }: SignInProviderRow, index: number): SchemaProblem[] {
  const path = ['dashboard', 'providers', index];
  if ((kind === 'oidc') !== (id !== null)) {
    return [
      { path: [...path, 'id'], message: kind === 'oidc' ? 'is required for oidc' : 'is only for oidc' },
    ];
  }
  if (kind === 'oidc' && issuer === null)
    return [{ path: [...path, 'issuer'], message: 'is required for oidc' }];
  if (kind !== 'oidc' && issuer !== null) return [{ path: [...path, 'issuer'], message: 'is only for oidc' }];
  if (kind !== 'microsoft' && tenant !== null)
    return [{ path: [...path, 'tenant'], message: 'is only for microsoft' }];
  return addressProblems(issuer, [...path, 'issuer']);
}

/** A link in a mail must not have an address that the sender of a request chose. */
function mailProblems({ mail, server }: Config): SchemaProblem[] {
  if (mail.host === null) return [];
  return [
    ...(mail.from === null ? [{ path: ['mail', 'from'], message: 'is required with host' }] : []),
    ...(server.public_url === null
      ? [{ path: ['mail', 'host'], message: 'needs server.public_url, which is the address in the mails' }]
      : []),
  ];
}

const relayProblems = ({ claude_code, telemetry }: Config): SchemaProblem[] =>
  claude_code.telemetry === 'forward' && telemetry.otlp.endpoint === null
    ? [
        {
          path: ['claude_code', 'telemetry'],
          message: 'needs telemetry.otlp.endpoint, to which the telemetry is sent',
        },
      ]
    : [];

/** Checks that span several fields. */
function databaseProblems(store: Config['store']): SchemaProblem[] {
  return (['database_url', 'listen_url'] as const).flatMap((field) => {
    const { problem } = connectionParameters(store[field] ?? '');
    return problem === undefined ? [] : [{ path: ['store', field], message: problem }];
  });
}

export const configCrossChecks: readonly CrossCheck<Config>[] = [
  { section: 'server', find: ({ server }) => proxyProblems(server.trusted_proxies) },
  { section: 'server', find: ({ server }) => adminListenProblems(server) },
  { section: 'server', find: ({ server }) => securityTxtProblems(server.security_txt) },
  { section: 'store', find: ({ store }) => databaseProblems(store) },
  { section: 'payloads', find: ({ payloads }) => expressionProblems(payloads.redact) },
  { section: 'server', find: ({ server }) => addressProblems(server.public_url, ['server', 'public_url']) },
  {
    section: 'providers',
    find: ({ providers }) =>
      providers.flatMap(({ base_url }, index) => addressProblems(base_url, ['providers', index, 'base_url'])),
  },
  { section: 'providers', find: ({ providers }) => repeatedIds(providers, 'provider', ['providers']) },
  { section: 'providers', find: ({ providers }) => wireProblems(providers) },
  { section: 'providers', find: ({ providers }) => providers.flatMap(cloudProblems) },
  { section: 'providers', find: ({ providers }) => providers.flatMap(probeProblems) },
  { section: 'catalog', find: ({ catalog }) => repeatedIds(catalog.models, 'model', ['catalog', 'models']) },
  { section: 'catalog', find: ({ catalog }) => modelProblems(catalog.models, ['catalog', 'models']) },
  {
    section: 'catalog',
    find: ({ catalog: { models, prices, prices_issued_at: issued } }) => [
      ...modelPriceProblems(models, ['catalog', 'models']),
      ...replacedPriceProblems(prices, ['catalog', 'prices']),
      ...(issued === null ? [] : dateProblem(issued, ['catalog', 'prices_issued_at'])),
    ],
  },
  { section: 'catalog', find: passingProblems },
  {
    section: 'local_servers',
    find: ({ local_servers: { mode: _, ...addresses } }) =>
      Object.entries(addresses).flatMap(([name, address]) =>
        addressProblems(address, ['local_servers', name]),
      ),
  },
  {
    section: 'alerts',
    find: ({ alerts }) =>
      alerts.webhooks.flatMap(({ url }, index) => addressProblems(url, ['alerts', 'webhooks', index, 'url'])),
  },
  { section: 'alerts', find: ({ alerts }) => repeatedWebhooks(alerts.webhooks.map(({ url }) => url)) },
  {
    section: 'dashboard',
    find: ({ dashboard }) => {
      const rows = dashboard.providers.map(({ id, kind }) => ({ id: id ?? kind }));
      return repeatedIds(rows, 'sign-in provider', ['dashboard', 'providers']);
    },
  },
  { section: 'dashboard', find: ({ dashboard }) => dashboard.providers.flatMap(signInProblems) },
  { section: 'mail', find: mailProblems },
  { section: 'claude_code', find: relayProblems },
  { section: 'purchases', find: ({ purchases }) => purchaseProblems(purchases) },
];

export const catalogCrossChecks: readonly CrossCheck<CatalogFile>[] = [
  { section: 'models', find: ({ models }) => repeatedIds(models, 'model', ['models']) },
  { section: 'models', find: ({ models }) => modelProblems(models, ['models']) },
  { section: 'models', find: ({ models }) => modelPriceProblems(models, ['models']) },
];
