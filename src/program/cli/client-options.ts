import type { Option } from './command.ts';

/** The options of every command that calls a server: which one, its token, and the form of the answer. */
export const clientOptions = {
  json: { kind: 'flag', summary: 'Prints the answer as JSON' },
  url: {
    kind: 'text',
    placeholder: 'URL',
    summary:
      'Address of the server (default: the file address in the data directory, or http://127.0.0.1:8080)',
  },
  profile: {
    kind: 'text',
    placeholder: 'NAME',
    ids: 'profiles',
    summary: 'Profile of a remote server, see `profile add` (default: TOLLGATE_PROFILE)',
  },
  'admin-token': {
    kind: 'text',
    placeholder: 'TOKEN',
    summary: 'Admin token (default: TOLLGATE_ADMIN_TOKEN, or the file admin-token in the data directory)',
  },
  data: {
    kind: 'text',
    placeholder: 'DIR',
    summary: 'Data directory of the server (default: DATA_DIR, or ./data)',
  },
} as const satisfies Record<string, Option>;
