#!/usr/bin/env node
// Checks /openapi.json with the tools that read it: `npm run check:openapi`. The tools are installed from
// their registries into a temporary folder, and call a server with the simulator.
// A missing tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from './clients/start-gateway.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(tmpdir(), 'tollgate-check-openapi');
const file = join(folder, 'openapi.json');
const ruleset = join(folder, 'spectral.json');
const clientSettings = join(folder, 'client.json');
const python = join(folder, 'python');
const client = join(folder, 'client');

const packages = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
];
const pythonPackages = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1'];

/**
 * Runs every check of the tool, with the credential that the paths take.
 * The file of settings has the exceptions. The server is removed afterwards, so the routes that change it are
 * called too. No route stops it.
 */
const schemathesis = (gateway, { paths, credential }) => [
  ...['--config-file', join(root, 'scripts', 'schemathesis.toml'), 'run', file, '--url', gateway.url],
  ...credential.flatMap((header) => ['-H', header]),
  ...['--include-path-regex', paths, '--max-examples', '10'],
  ...['--continue-on-failure', '--no-color'],
];

/**
 * The generator does not know the type of a batch's results.
 * Its other warnings mean that a part of the client is missing.
 */
const settingsOfClient = {
  content_type_overrides: { 'application/x-jsonl': 'application/octet-stream' },
  post_hooks: [],
};

const callOfClient = (gateway) => `
from tollgate_client import AuthenticatedClient
from tollgate_client.api.admin_accounts import get_admin_accounts_by_id, post_admin_accounts
from tollgate_client.api.models import get_models
from tollgate_client.models import PostAdminAccountsBody, PostAdminAccountsBodyPlan
client = AuthenticatedClient(base_url='${gateway.url}', token='${gateway.key}')
answer = get_models.sync_detailed(client=client)
assert answer.status_code == 200 and len(answer.parsed.data) > 0, answer
operator = AuthenticatedClient(base_url='${gateway.url}', token='${gateway.adminToken}')
wanted = PostAdminAccountsBody(name='Ada', plan=PostAdminAccountsBodyPlan.PRO)
made = post_admin_accounts.sync_detailed(client=operator, body=wanted)
assert made.status_code == 201 and made.parsed.plan == 'pro', made
shown = get_admin_accounts_by_id.sync_detailed(made.parsed.id, client=operator)
assert shown.status_code == 200 and shown.parsed == made.parsed, (made, shown)
`;

const checks = [
  {
    name: 'redocly lint',
    program: 'redocly',
    options: () => ['lint', file, '--max-problems', '20'],
    refuses: /You have \d+ (warning|error)/,
  },
  {
    name: 'spectral lint',
    program: 'spectral',
    options: () => ['lint', '-r', ruleset, '--fail-severity', 'hint', file],
  },
  {
    name: 'openapi-typescript',
    program: 'openapi-typescript',
    options: () => [file, '-o', join(folder, 'api.ts')],
  },
  {
    name: 'the types compile',
    program: 'tsc',
    options: () => ['--noEmit', '--strict', join(folder, 'api.ts')],
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
      ...['generate', '--path', file, '--output-path', client, '--overwrite'],
      ...['--config', clientSettings, '--fail-on-warning'],
    ],
  },
  {
    name: 'the Python client calls',
    program: 'python',
    isPython: true,
    options: (gateway) => ['-c', callOfClient(gateway)],
  },
];

const run = (program, options) =>
  spawnSync(program, options, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', PYTHONPATH: client },
  });

function install() {
  mkdirSync(folder, { recursive: true });
  const npm = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
  if (npm.status !== 0) console.error(`npm could not install ${packages.join(', ')}.\n${npm.stderr ?? ''}`);
  const steps = [
    ['python3', ['-m', 'venv', python]],
    [join(python, 'bin', 'pip'), ['install', '--quiet', ...pythonPackages]],
  ];
  for (const [program, options] of steps) {
    const done = run(program, options);
    if (done.status === 0) continue;
    console.error(`${program} ${options.join(' ')} failed.\n${done.stderr ?? done.error ?? ''}`);
    return;
  }
}

/** Returns the problem of a check, or undefined. */
function problemOf({ program, options, isPython, refuses }, gateway) {
  const path = isPython ? join(python, 'bin', program) : join(folder, 'node_modules', '.bin', program);
  const { status, stdout = '', stderr = '', error } = run(path, options(gateway));
  if (error) return `${program} is missing: ${isPython ? 'Python 3 with pip' : 'npm'} could not install it.`;
  return status !== 0 || refuses?.test(stdout + stderr) ? stdout + stderr : undefined;
}

install();
const gateway = await startGateway(root);
let failed = 0;
try {
  const text = await (await fetch(`${gateway.url}/openapi.json`)).text();
  // Redocly warns about addresses of this machine, which no other reader can use.
  writeFileSync(file, text.replaceAll(gateway.url, 'https://gateway.test'));
  writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  writeFileSync(clientSettings, JSON.stringify(settingsOfClient));
  for (const check of checks) {
    const problem = problemOf(check, gateway);
    console.log(`${problem === undefined ? 'ok' : 'FAILED'.padEnd(6)}  ${check.name}`);
    if (problem === undefined) continue;
    failed++;
    console.log(problem.trim().replace(/^/gm, '  '));
  }
} finally {
  await gateway.stop();
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
