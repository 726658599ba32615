import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { addressProblems } from './address-problems.ts';
import type { CatalogFile, CatalogModelRow } from './catalog-schema.ts';
import type { Config } from './config-schema.ts';
import { connectionParameters } from './connection-parameters.ts';
import { dateProblems } from './date-problems.ts';
import { isNetwork } from './is-network.ts';
import { kindProblems } from './kind-problems.ts';
import { listenAddressOf } from './listen-address-of.ts';
import { modelPriceProblems, replacedPriceProblems } from './price-problems.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';
import { providerProblems } from './provider-problems.ts';
import type { CrossCheck } from './read-document.ts';
import { repeatedIds } from './repeated-ids.ts';
import { securityTxtProblems } from './security-txt-schema.ts';
import { PORT } from './server-schema.ts';
import { signInProblems } from './sign-in-problems.ts';

const serverProblems = ({ trusted_proxies, admin_listen, public_url }: Config['server']): SchemaProblem[] => [
  ...trusted_proxies.flatMap((proxy, index) =>
    problemIf(
      !isNetwork(proxy),
      ['server', 'trusted_proxies', index],
      'must be an IP address or a CIDR block like 10.0.0.0/8',
    ),
  ),
  ...problemIf(
    admin_listen !== null && listenAddressOf(admin_listen).port > PORT.maximum,
    ['server', 'admin_listen'],
    `must have a port from 0 to ${PORT.maximum}`,
  ),
  ...addressProblems(public_url, ['server', 'public_url']),
];

const databaseProblems = (store: Config['store']): SchemaProblem[] =>
  (['database_url', 'listen_url'] as const).flatMap((field) => {
    const { problem } = connectionParameters(store[field] ?? '');
    return problem === undefined ? [] : [{ path: ['store', field], message: problem }];
  });

/** Finds rules of redaction whose expression is invalid. */
const redactionProblems = ({ redact }: Config['payloads']): SchemaProblem[] =>
  redact.flatMap(({ pattern }, index) =>
    problemIf(
      !isExpression(pattern),
      ['payloads', 'redact', index, 'pattern'],
      'must be a valid regular expression',
    ),
  );

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'gu');
    return true;
  } catch {
    return false;
  }
}

/** Finds problems of models that do not depend on the rest of the configuration. */
const modelProblems = (models: readonly CatalogModelRow[], path: ProblemPath): SchemaProblem[] => [
  ...repeatedIds(models, 'model', path),
  ...models.flatMap((model, index) => kindProblems(model, [...path, index])),
  ...modelPriceProblems(models, path),
];

const catalogProblems = ({ catalog }: Config): SchemaProblem[] => [
  ...modelProblems(catalog.models, ['catalog', 'models']),
  ...replacedPriceProblems(catalog.prices, ['catalog', 'prices']),
  ...dateProblems(catalog.prices_issued_at ?? undefined, ['catalog', 'prices_issued_at']),
  ...problemIf(
    catalog.unknown_models === 'pass' && catalog.default_pricing_usd_per_mtok === null,
    ['catalog', 'default_pricing_usd_per_mtok'],
    'is required, since unknown_models is pass',
  ),
];

const localServerProblems = ({ mode: _, ...addresses }: Config['local_servers']): SchemaProblem[] =>
  Object.entries(addresses).flatMap(([name, address]) => addressProblems(address, ['local_servers', name]));

/**
 * Finds webhooks with an unusable or a repeated address. Messages omit addresses, which may contain a secret.
 */
function webhookProblems({ webhooks }: Config['alerts']): SchemaProblem[] {
  const addresses = webhooks.map(({ url }) => url);
  return addresses.flatMap((address, index) => {
    const path = ['alerts', 'webhooks', index, 'url'];
    const earlier = addresses.indexOf(address);
    const message = `must be unique; the webhook at position ${earlier} has the same address`;
    return [...addressProblems(address, path), ...problemIf(earlier !== index, path, message)];
  });
}

/** A provider of sign-ins without an id has the id of its kind. */
const dashboardProblems = ({ providers }: Config['dashboard']): SchemaProblem[] => [
  ...repeatedIds(
    providers.map(({ id, kind }) => ({ id: id ?? kind })),
    'sign-in provider',
    ['dashboard', 'providers'],
  ),
  ...providers.flatMap(signInProblems),
];

/** A link in a mail must not have an address that the sender of a request chose. */
function mailProblems({ mail, server }: Config): SchemaProblem[] {
  if (mail.host === null) return [];
  return [
    ...problemIf(mail.from === null, ['mail', 'from'], 'is required with host'),
    ...problemIf(
      server.public_url === null,
      ['mail', 'host'],
      'needs server.public_url, which is the address in the mails',
    ),
  ];
}

const relayProblems = ({ claude_code, telemetry }: Config): SchemaProblem[] =>
  problemIf(
    claude_code.telemetry === 'forward' && telemetry.otlp.endpoint === null,
    ['claude_code', 'telemetry'],
    'needs telemetry.otlp.endpoint, to which the telemetry is sent',
  );

const purchaseProblems = ({ min_usd, max_usd }: Config['purchases']): SchemaProblem[] =>
  problemIf(min_usd > max_usd, ['purchases', 'min_usd'], `must not exceed max_usd, which is ${max_usd}`);

/** The checks of a configuration that its schema cannot express. */
export const configCrossChecks: readonly CrossCheck<Config>[] = [
  { section: 'server', find: ({ server }) => serverProblems(server) },
  { section: 'server', find: ({ server }) => securityTxtProblems(server.security_txt) },
  { section: 'store', find: ({ store }) => databaseProblems(store) },
  { section: 'payloads', find: ({ payloads }) => redactionProblems(payloads) },
  { section: 'providers', find: ({ providers }) => repeatedIds(providers, 'provider', ['providers']) },
  { section: 'providers', find: ({ providers }) => providers.flatMap(providerProblems) },
  { section: 'catalog', find: catalogProblems },
  { section: 'local_servers', find: ({ local_servers }) => localServerProblems(local_servers) },
  { section: 'alerts', find: ({ alerts }) => webhookProblems(alerts) },
  { section: 'dashboard', find: ({ dashboard }) => dashboardProblems(dashboard) },
  { section: 'mail', find: mailProblems },
  { section: 'claude_code', find: relayProblems },
  { section: 'purchases', find: ({ purchases }) => purchaseProblems(purchases) },
];

/** The checks of a catalog file that its schema cannot express. */
export const catalogCrossChecks: readonly CrossCheck<CatalogFile>[] = [
  { section: 'models', find: ({ models }) => modelProblems(models, ['models']) },
];
