import { accountCommands } from './account-commands-table.ts';
import { budgetCommands } from './budget-commands-table.ts';
import { catalogCommands } from './catalog-commands-table.ts';
import { clientOptions } from './client-options.ts';
import { type Command, idKinds, shellNames } from './command.ts';
import { configOption, dataOption, hostOption, portOption } from './command-options.ts';
import { dataCommands } from './data-commands-table.ts';
import { keyCommands } from './key-commands-table.ts';
import { ledgerCommands } from './ledger-commands-table.ts';
import { operationCommands } from './operation-commands-table.ts';
import { text } from './option-kinds.ts';
import { profileCommands } from './profile-commands-table.ts';
import { providerCommands } from './provider-commands-table.ts';
import { requestCommands } from './request-commands-table.ts';
import { settingCommands } from './setting-commands-table.ts';
import { tokenCommands } from './token-commands-table.ts';
import { toolCommands } from './tool-commands-table.ts';

/** All commands. The code of a command is loaded when it runs, so that small commands start fast. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Starts the gateway',
    options: {
      config: configOption,
      port: portOption,
      host: hostOption,
      data: dataOption,
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
  ...profileCommands,
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
  ...dataCommands,
  ...toolCommands,
];
