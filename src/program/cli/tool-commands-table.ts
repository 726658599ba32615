import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { configOption, dataOption, hostOption, jsonOption, portOption } from './command-options.ts';
import { countOption, textOption } from './option-kinds.ts';

/** The commands that check, document, simulate or measure a gateway. */
export const toolCommandsTable: readonly Command[] = [
  {
    name: 'simulate',
    summary: 'Runs the simulator as a separate upstream server',
    options: {
      port: { ...portOption, summary: 'Port to listen on (default 9001)' },
      host: hostOption,
      'api-key': textOption('KEY', 'Key that requests must carry (default: any key is accepted)'),
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
    load: async () => (await import('./simulate-command.ts')).simulateCommand,
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
      config: configOption,
      port: portOption,
      host: hostOption,
      ...clientOptions,
      data: dataOption,
      json: jsonOption,
    },
    examples: ['doctor --config tollgate.yaml', 'doctor --live'],
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'docs build',
    summary: 'Writes the documentation as a static site, with every page in HTML and in Markdown',
    positionals: [{ name: 'DIR', summary: 'Directory to write to; it is new or empty' }],
    options: {
      address: textOption(
        'URL',
        'Address of the server that the examples call (default http://127.0.0.1:8080)',
      ),
      json: jsonOption,
    },
    examples: ['docs build site', 'docs build site --address https://gateway.example.com'],
    load: async () => (await import('./build-docs.ts')).buildDocs,
  },
  {
    name: 'verify-release',
    summary: 'Verifies the checksum and the signature of a file of a release, without a network',
    positionals: [{ name: 'FILE', summary: 'The file, with SHA256SUMS and SHA256SUMS.sig next to it' }],
    options: {
      key: textOption(
        'KEY',
        'Public key of the release in base64 (default: the key of the release that this program is from)',
      ),
      json: jsonOption,
    },
    examples: ['verify-release install.sh'],
    load: async () => (await import('./verify-release-file.ts')).verifyReleaseFile,
  },
  {
    name: 'bench',
    summary: 'Runs the benchmark of the project',
    options: {
      scenario: textOption('LIST', 'Scenarios to run: unary,stream,translated,models (default: all)'),
      peers: textOption('LIST', 'Systems to compare with: haproxy,bare-bun,portkey (default: the first two)'),
      seconds: { ...countOption, unit: 'seconds', summary: 'Seconds of load per measurement (default 3)' },
      rounds: { ...countOption, unit: 'rounds', summary: 'Number of interleaved rounds (default 3)' },
      connections: {
        ...countOption,
        unit: 'connections',
        summary: 'Number of connections in a closed loop (default 32)',
      },
      'warm-up': {
        ...countOption,
        unit: 'seconds',
        summary: 'Seconds of load before the first round (default 3)',
      },
      interval: {
        ...countOption,
        unit: 'milliseconds',
        summary: 'Milliseconds between the events of a stream (default 2)',
      },
      out: textOption('FILE', 'Writes the JSON report to a file'),
      json: jsonOption,
    },
    examples: ['bench --scenario unary,stream --rounds 5'],
    load: async () => (await import('./bench-command.ts')).benchCommand,
  },
];
