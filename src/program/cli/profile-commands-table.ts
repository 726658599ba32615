import type { Command } from './command.ts';
import { jsonOption } from './command-options.ts';
import { textOption } from './option-kinds.ts';
import { listOptions } from './print-answer.ts';

/** The commands for profiles of remote servers. */
export const profileCommandsTable: readonly Command[] = [
  {
    name: 'profile add',
    summary: 'Saves the address of a remote server under a name, for --profile',
    positionals: [
      { name: 'NAME', summary: 'Name of the profile; an existing one is replaced' },
      { name: 'URL', summary: 'Address of the server' },
    ],
    options: {
      'admin-token': textOption('TOKEN', 'Admin token to save'),
      'token-file': textOption('FILE', 'File with the admin token to save, for example /dev/stdin'),
      'token-variable': textOption(
        'VARIABLE',
        'Environment variable that has the token (default: TOLLGATE_ADMIN_TOKEN)',
      ),
      json: jsonOption,
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
    options: { ...listOptions, json: jsonOption },
    examples: ['profile list'],
    load: async () => (await import('./profile-commands.ts')).listProfiles,
  },
  {
    name: 'profile remove',
    summary: 'Deletes a profile and its token',
    positionals: [{ name: 'NAME', summary: 'Name of the profile', ids: 'profiles' }],
    options: { json: jsonOption },
    examples: ['profile remove staging'],
    load: async () => (await import('./profile-commands.ts')).removeProfile,
  },
];
