import type { Command } from './command.ts';
import { dataOption, jsonOption } from './command-options.ts';
import { textOption } from './option-kinds.ts';

/** The commands that copy or move a data directory. */
export const dataCommandsTable: readonly Command[] = [
  {
    name: 'backup',
    summary: 'Copies a data directory to a new directory, with or without a running server',
    positionals: [{ name: 'DIR', summary: 'Directory to write to; it is new or empty' }],
    options: {
      data: dataOption,
      'with-secret-key': {
        kind: 'flag',
        summary: 'Copies the key of stored credentials too (default: without it, nobody can read them)',
      },
      json: jsonOption,
    },
    examples: ['backup /backups/2026-11-22 --data /var/lib/tollgate'],
    load: async () => (await import('./backup-command.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Verifies a backup and copies it into an empty data directory',
    positionals: [{ name: 'DIR', summary: 'Directory that `backup` created' }],
    options: {
      data: dataOption,
      'accept-faults': {
        kind: 'flag',
        summary: 'Restores a ledger with faults, for example to repair it (default: refuse)',
      },
      json: jsonOption,
    },
    examples: ['restore /backups/2026-11-22 --data /var/lib/tollgate'],
    load: async () => (await import('./restore-command.ts')).restoreCommand,
  },
  {
    name: 'store migrate',
    summary: 'Moves the data directory of a stopped server to an empty Postgres database',
    options: {
      from: textOption('DIR', 'Data directory (default: DATA_DIR, or ./data)'),
      to: textOption('URL', 'URL of the database (default: DATABASE_URL)'),
      json: jsonOption,
    },
    examples: ['store migrate --from /var/lib/tollgate --to postgres://tollgate@db.example.com/tollgate'],
    load: async () => (await import('./migrate-store-command.ts')).migrateStoreCommand,
  },
];
