import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { places } from './places.mjs';

const SETTINGS = join(dirname(fileURLToPath(import.meta.url)), '..', 'schemathesis.toml');
const { document, documentOfClient, linting, ruleset, types, client, clientSettings } = places;

/**
 * Runs every check of the tool, with the credential that the paths take.
 * The file of settings has the exceptions. The server is removed afterwards, so the routes that change it are
 * called too. No route stops it.
 */
const schemathesis = (gateway, { paths, credential }) => [
  '--config-file',
  SETTINGS,
  'run',
  document,
  '--url',
  gateway.url,
  ...credential.flatMap((header) => ['-H', header]),
  '--include-path-regex',
  paths,
  '--max-examples',
  '10',
  '--continue-on-failure',
  '--no-color',
];

const callOfClient = (gateway) => `
from tollgate_client import AuthenticatedClient
from tollgate_client.api.admin_accounts import get_admin_accounts_by_id, post_admin_accounts
from tollgate_client.api.models import get_models
from tollgate_client.models import PostAdminAccountsBody
client = AuthenticatedClient(base_url='${gateway.url}', token='${gateway.key}')
answer = get_models.sync_detailed(client=client)
assert answer.status_code == 200 and len(answer.parsed.data) > 0, answer
operator = AuthenticatedClient(base_url='${gateway.url}', token='${gateway.adminToken}')
wanted = PostAdminAccountsBody(name='Ada', plan='pro')
made = post_admin_accounts.sync_detailed(client=operator, body=wanted)
assert made.status_code == 201 and made.parsed.plan == 'pro', made
shown = get_admin_accounts_by_id.sync_detailed(made.parsed.id, client=operator)
assert shown.status_code == 200 and shown.parsed == made.parsed, (made, shown)
`;

/**
 * The checks. `options` returns the arguments of the program. Python has the programs with `isPython`, and
 * npm the others. An output that `refuses` matches is a failure, whatever the exit code is.
 */
export const openapiChecks = [
  {
    name: 'redocly lint',
    program: 'redocly',
    options: () => ['lint', document, '--config', linting, '--max-problems', '20'],
    refuses: /You have \d+ (warning|error)/,
  },
  {
    name: 'spectral lint',
    program: 'spectral',
    options: () => ['lint', '-r', ruleset, '--fail-severity', 'hint', document],
  },
  {
    name: 'openapi-typescript',
    program: 'openapi-typescript',
    options: () => [document, '-o', types],
  },
  {
    name: 'the types compile',
    program: 'tsc',
    options: () => ['--noEmit', '--strict', types],
  },
  {
    name: 'schemathesis',
    program: 'schemathesis',
    isPython: true,
    options: (gateway) =>
      schemathesis(gateway, {
        paths: '^/(v1(?!/messages/batches)|healthz|readyz)',
        credential: [`Authorization: Bearer ${gateway.key}`],
      }),
  },
  {
    name: 'schemathesis with message batches',
    program: 'schemathesis',
    isPython: true,
    options: (gateway) =>
      schemathesis(gateway, { paths: '^/v1/messages/batches', credential: [`x-api-key: ${gateway.key}`] }),
  },
  {
    name: 'schemathesis with the admin API',
    program: 'schemathesis',
    isPython: true,
    options: (gateway) =>
      schemathesis(gateway, {
        paths: '^/admin/',
        credential: [`Authorization: Bearer ${gateway.adminToken}`],
      }),
  },
  {
    name: 'openapi-python-client',
    program: 'openapi-python-client',
    isPython: true,
    options: () => [
      'generate',
      '--path',
      documentOfClient,
      '--output-path',
      client,
      '--overwrite',
      '--config',
      clientSettings,
      '--fail-on-warning',
    ],
  },
  {
    name: 'the Python client calls',
    program: 'python',
    isPython: true,
    options: (gateway) => ['-c', callOfClient(gateway)],
  },
];
