import { adminRoles } from '../../customers/operators/admin-token.ts';
import { clientOptions } from './client-options.ts';
import type { Command, Positional } from './command.ts';
import { yesOption } from './confirm.ts';
import { textOption } from './option-kinds.ts';
import { listOptions } from './print-answer.ts';
import { expiryOption, rotationOptions } from './rotation-options.ts';

const tokens = () => import('./token-commands.ts');
const tokenId: Positional = { name: 'TOKEN', summary: 'Id of the token' };

/** The commands for admin tokens. */
export const tokenCommandsTable: readonly Command[] = [
  {
    name: 'token create',
    summary: 'Creates an admin token and prints it; the token is shown only once',
    positionals: [{ name: 'NAME', summary: 'Name of the token in the audit log', optional: true }],
    options: {
      name: textOption('NAME', 'Same as NAME'),
      role: {
        ...textOption(
          'ROLE',
          'Role of the token; required. Only owners manage tokens, and read_only reads all but recorded content',
        ),
        choices: adminRoles,
      },
      'expires-at': expiryOption,
      ...clientOptions,
    },
    examples: [
      'token create ci --role operator',
      'token create "Grace Hopper" --role owner --expires-at 2027-01-01T00:00:00Z',
    ],
    load: async () => (await tokens()).createToken,
  },
  {
    name: 'token list',
    summary: 'Lists the admin tokens',
    options: { ...listOptions, ...clientOptions },
    examples: ['token list', 'token list --json'],
    load: async () => (await tokens()).listTokens,
  },
  {
    name: 'token rotate',
    summary: 'Gives an admin token a new secret and prints it',
    positionals: [tokenId],
    options: { ...rotationOptions, ...clientOptions },
    examples: ['token rotate adm_123 --overlap 3600'],
    load: async () => (await tokens()).rotateToken,
  },
  {
    name: 'token revoke',
    summary: 'Revokes an admin token permanently',
    positionals: [tokenId],
    options: { yes: yesOption, ...clientOptions },
    examples: ['token revoke adm_123', 'token revoke adm_123 --yes'],
    load: async () => (await tokens()).revokeToken,
  },
];
