import { retriesChoices } from '../../money/accounts/api-key.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { clientOptions } from './client-options.ts';
import type { Command, Positional } from './command.ts';
import { accountPositional } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { countOption, textOption } from './option-kinds.ts';
import { listOptions } from './print-answer.ts';
import { expiryOption, rotationOptions } from './rotation-options.ts';

const keys = () => import('./key-commands.ts');
const keyId: Positional = { name: 'KEY', summary: 'Id of the key' };

/** The commands for API keys. */
export const keyCommandsTable: readonly Command[] = [
  {
    name: 'key create',
    summary: 'Creates an API key and prints it; the key is shown only once',
    positionals: [accountPositional],
    options: {
      name: textOption('NAME', 'Name of the key'),
      payg: { kind: 'flag', summary: 'Requests with this key use pay-as-you-go mode by default' },
      'monthly-cap': {
        kind: 'number',
        minimum: 0,
        maximum: MAX_USD,
        unit: 'USD',
        placeholder: 'USD',
        summary: 'Spending cap in a calendar month',
      },
      allow: {
        kind: 'list',
        placeholder: 'MODEL',
        summary: 'Model that the key may use (default: all models)',
      },
      person: textOption('ID', 'Member that the key belongs to'),
      tag: { kind: 'list', placeholder: 'TAG', summary: 'Tag of the requests with this key' },
      retries: {
        ...textOption('WHICH', 'Which repeated requests get the answer of the first one (default: none)'),
        choices: retriesChoices,
      },
      resumable: { kind: 'flag', summary: 'Streams can be read again from where they broke' },
      'expires-at': expiryOption,
      'requests-per-min': {
        ...countOption,
        summary: 'Requests of the key in a minute (default: only the plan limits)',
      },
      'tokens-per-min': {
        ...countOption,
        summary: 'Tokens of the key in a minute (default: only the plan limits)',
      },
      concurrent: {
        ...countOption,
        summary: 'Requests of the key at a time (default: only the plan limits)',
      },
      ...clientOptions,
    },
    examples: [
      'key create acct_123 --name ci --monthly-cap 20',
      'key create acct_123 --allow @svc/gpt-oss-120b',
    ],
    load: async () => (await keys()).createKey,
  },
  {
    name: 'key list',
    summary: 'Lists the API keys of an account',
    positionals: [accountPositional],
    options: { ...listOptions, ...clientOptions },
    examples: ['key list "Ada Lovelace"'],
    load: async () => (await keys()).listKeys,
  },
  {
    name: 'key rotate',
    summary: 'Gives an API key a new secret and prints it; the key keeps its id and its settings',
    positionals: [keyId],
    options: { ...rotationOptions, ...clientOptions },
    examples: ['key rotate key_123 --overlap 86400'],
    load: async () => (await keys()).rotateKey,
  },
  {
    name: 'key revoke',
    summary: 'Revokes an API key permanently',
    positionals: [keyId],
    options: { yes: yesOption, ...clientOptions },
    examples: ['key revoke key_123'],
    load: async () => (await keys()).revokeKey,
  },
];
