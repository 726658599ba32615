import { accountCommands } from './account-commands-table.ts';
import { budgetCommands } from './budget-commands-table.ts';
import { catalogCommands } from './catalog-commands-table.ts';
import { clientOptions } from './client-options.ts';
import { type Command, idKinds, shellNames } from './command.ts';
import { config, count, data, host, json, port, text } from './command-options.ts';
import { keyCommands } from './key-commands-table.ts';
import { ledgerCommands } from './ledger-commands-table.ts';
import { operationCommands } from './operation-commands-table.ts';
import { listOptions } from './print-answer.ts';
import { providerCommands } from './provider-commands-table.ts';
import { requestCommands } from './request-commands-table.ts';
import { settingCommands } from './setting-commands-table.ts';
import { tokenCommands } from './token-commands-table.ts';

/** All commands. The code of a command is loaded when it runs, so that small commands start fast. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Starts the gateway',
    options: {
      config,
      port,
      host,
      data,
      workers: {
        kind: 'number',
        integer: true,
        minimum: 1,
        maximum: 256,
        unit: 'processes',
        summary: 'Processes that share the port (default 1)',
      },
    },
    examples: ['serve', 'serve --config tollgate.yaml --port 9000 --data /var/lib/tollgate'],
    load: async () => (await import('./serve-command.ts')).run,
  },
  ...accountCommands,
  ...ledgerCommands,
  ...keyCommands,
  ...tokenCommands,
  ...budgetCommands,
  ...catalogCommands,
  ...providerCommands,
  ...requestCommands,
  ...operationCommands,
  ...settingCommands,
  {
    name: 'profile add',
    summary: 'Saves the address of a remote server under a name, for --profile',
    positionals: [
      { name: 'NAME', summary: 'Name of the profile; an existing one is replaced' },
      { name: 'URL', summary: 'Address of the server' },
    ],
    options: {
      'admin-token': text('TOKEN', 'Admin token to save'),
      'token-file': text('FILE', 'File with the admin token to save, for example /dev/stdin'),
      'token-variable': text(
        'VARIABLE',
        'Environment variable that has the token (default: TOLLGATE_ADMIN_TOKEN)',
      ),
      json,
    },
    examples: [
      'profile add production https://gateway.example.com --token-file /dev/stdin',
      'profile add staging https://staging.example.com --token-variable STAGING_ADMIN_TOKEN',
    ],
    load: async () => (await import('./profile-commands.ts')).addProfile,
  },
  {
    name: 'profile list',
    summary: 'Lists the profiles, without their tokens',
    options: { ...listOptions, json },
    examples: ['profile list'],
    load: async () => (await import('./profile-commands.ts')).listProfiles,
  },
  {
    name: 'profile remove',
    summary: 'Deletes a profile and its token',
    positionals: [{ name: 'NAME', summary: 'Name of the profile', ids: 'profiles' }],
    options: { json },
    examples: ['profile remove staging'],
    load: async () => (await import('./profile-commands.ts')).removeProfile,
  },
  {
    name: 'completion',
    summary: 'Prints the completion for a shell',
    positionals: [{ name: 'SHELL', summary: 'The shell', choices: shellNames, optional: true }],
    options: {
      ids: { ...text('KIND', 'Prints the ids that the completion offers, one on a line'), choices: idKinds },
      ...clientOptions,
      json: { kind: 'flag', summary: 'Has no effect; the output is a script or a list' },
    },
    examples: ['completion bash', 'completion --ids models'],
    load: async () => (await import('./completion-command.ts')).completionOf(commands),
  },
  {
    name: 'backup',
    summary: 'Copies a data directory to a new directory, with or without a running server',
    positionals: [{ name: 'DIR', summary: 'Directory to write to; it is new or empty' }],
    options: {
      data,
      'with-secret-key': {
        kind: 'flag',
        summary: 'Copies the key of stored credentials too (default: without it, nobody can read them)',
      },
      json,
    },
    examples: ['backup /backups/2026-11-22 --data /var/lib/tollgate'],
    load: async () => (await import('./backup-command.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Verifies a backup and copies it into an empty data directory',
    positionals: [{ name: 'DIR', summary: 'Directory that `backup` created' }],
    options: {
      data,
      'accept-faults': {
        kind: 'flag',
        summary: 'Restores a ledger with faults, for example to repair it (default: refuse)',
      },
      json,
    },
    examples: ['restore /backups/2026-11-22 --data /var/lib/tollgate'],
    load: async () => (await import('./restore-command.ts')).restore,
  },
  {
    name: 'store migrate',
    summary: 'Moves the data directory of a stopped server to an empty Postgres database',
    options: {
      from: text('DIR', 'Data directory (default: DATA_DIR, or ./data)'),
      to: text('URL', 'URL of the database (default: DATABASE_URL)'),
      json,
    },
    examples: ['store migrate --from /var/lib/tollgate --to postgres://tollgate@db.example.com/tollgate'],
    load: async () => (await import('./migrate-store-command.ts')).migrate,
  },
  {
    name: 'simulate',
    summary: 'Runs the simulator as a separate upstream server',
    options: {
      port: { ...port, summary: 'Port to listen on (default 9001)' },
      host,
      'api-key': text('KEY', 'Key that requests must carry (default: any key is accepted)'),
      'tokens-per-second': {
        kind: 'number',
        minimum: 0.001,
        unit: 'tokens per second',
        placeholder: 'N',
        summary: 'Tokens per second of a stream (default: no limit)',
      },
      json: { kind: 'flag', summary: 'Prints the address as JSON' },
    },
    examples: ['simulate --port 9001 --tokens-per-second 50'],
    load: async () => (await import('./simulate-command.ts')).simulate,
  },
  {
    name: 'doctor',
    summary:
      'Checks the configuration and the machine for problems and suggests fixes; with a running server, checks that server',
    options: {
      live: {
        kind: 'flag',
        summary: "Tries each provider's key with its cheapest call, which can cost a token",
      },
      config,
      port,
      host,
      ...clientOptions,
      data,
      json,
    },
    examples: ['doctor --config tollgate.yaml', 'doctor --live'],
    load: async () => (await import('./doctor/doctor-command.ts')).doctor,
  },
  {
    name: 'docs build',
    summary: 'Writes the documentation as a static site, with every page in HTML and in Markdown',
    positionals: [{ name: 'DIR', summary: 'Directory to write to; it is new or empty' }],
    options: {
      address: text('URL', 'Address of the server that the examples call (default http://127.0.0.1:8080)'),
      json,
    },
    examples: ['docs build site', 'docs build site --address https://gateway.example.com'],
    load: async () => (await import('./docs-command.ts')).buildDocs,
  },
  {
    name: 'verify-release',
    summary: 'Verifies the checksum and the signature of a file of a release, without a network',
    positionals: [{ name: 'FILE', summary: 'The file, with SHA256SUMS and SHA256SUMS.sig next to it' }],
    options: {
      key: text(
        'KEY',
        'Public key of the release in base64 (default: the key of the release that this program is from)',
      ),
      json,
    },
    examples: ['verify-release install.sh'],
    load: async () => (await import('./verify-release-command.ts')).verifyReleaseFile,
  },
  {
    name: 'bench',
    summary: 'Runs the benchmark of the project',
    options: {
      scenario: text('LIST', 'Scenarios to run: unary,stream,translated,models (default: all)'),
      peers: text('LIST', 'Systems to compare with: haproxy,bare-bun,portkey (default: the first two)'),
      seconds: { ...count, unit: 'seconds', summary: 'Seconds of load per measurement (default 3)' },
      rounds: { ...count, unit: 'rounds', summary: 'Number of interleaved rounds (default 3)' },
      connections: {
        ...count,
        unit: 'connections',
        summary: 'Number of connections in a closed loop (default 32)',
      },
      'warm-up': { ...count, unit: 'seconds', summary: 'Seconds of load before the first round (default 3)' },
      interval: {
        ...count,
        unit: 'milliseconds',
        summary: 'Milliseconds between the events of a stream (default 2)',
      },
      out: text('FILE', 'Writes the JSON report to a file'),
      json,
    },
    examples: ['bench --scenario unary,stream --rounds 5'],
    load: async () => (await import('./bench-command.ts')).bench,
  },
];
