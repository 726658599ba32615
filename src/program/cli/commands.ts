import { accountCommandsTable } from './account-commands-table.ts';
import { budgetCommandsTable } from './budget-commands-table.ts';
import { catalogCommandsTable } from './catalog-commands-table.ts';
import { clientOptions } from './client-options.ts';
import { type Command, idKinds, shellNames } from './command.ts';
import { configOption, dataOption, hostOption, portOption } from './command-options.ts';
import { dataCommandsTable } from './data-commands-table.ts';
import { keyCommandsTable } from './key-commands-table.ts';
import { ledgerCommandsTable } from './ledger-commands-table.ts';
import { operationCommandsTable } from './operation-commands-table.ts';
import { textOption } from './option-kinds.ts';
import { profileCommandsTable } from './profile-commands-table.ts';
import { providerCommandsTable } from './provider-commands-table.ts';
import { requestCommandsTable } from './request-commands-table.ts';
import { settingCommandsTable } from './setting-commands-table.ts';
import { tokenCommandsTable } from './token-commands-table.ts';
import { toolCommandsTable } from './tool-commands-table.ts';

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
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  ...accountCommandsTable,
  ...ledgerCommandsTable,
  ...keyCommandsTable,
  ...tokenCommandsTable,
  ...budgetCommandsTable,
  ...catalogCommandsTable,
  ...providerCommandsTable,
  ...requestCommandsTable,
  ...operationCommandsTable,
  ...settingCommandsTable,
  ...profileCommandsTable,
  {
    name: 'completion',
    summary: 'Prints the completion for a shell',
    positionals: [{ name: 'SHELL', summary: 'The shell', choices: shellNames, optional: true }],
    options: {
      ids: {
        ...textOption('KIND', 'Prints the ids that the completion offers, one on a line'),
        choices: idKinds,
      },
      ...clientOptions,
      json: { kind: 'flag', summary: 'Has no effect; the output is a script or a list' },
    },
    examples: ['completion bash', 'completion --ids models'],
    load: async () => (await import('./completion-command.ts')).completionCommand(commands),
  },
  ...dataCommandsTable,
  ...toolCommandsTable,
];
