import { planIds } from '../../settings/plans/plan.ts';
import { wires } from '../../translation/canonical/wire.ts';
import { clientOptions } from './client-options.ts';
import type { Command, Option } from './command.ts';
import { providerPositional } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { textOption } from './option-kinds.ts';

const list = (placeholder: string, summary: string): Option => ({ kind: 'list', placeholder, summary });
const usd = (summary: string): Option => ({ kind: 'number', placeholder: 'USD', minimum: 0, summary });
const tokens = (summary: string): Option => ({
  kind: 'number',
  placeholder: 'N',
  minimum: 1,
  integer: true,
  summary,
});

const providerOptions = {
  wire: { ...textOption('WIRE', 'Protocol of the provider'), choices: wires },
  'base-url': textOption('URL', 'Base URL, for example https://api.example.com/v1'),
  'key-file': textOption('FILE', 'File with the API key; - reads standard input'),
  'max-concurrent': tokens('Most concurrent requests'),
} as const satisfies Record<string, Option>;
const modelOption = { model: textOption('MODEL', "The provider's name for the model to call") };

const modelOptions = {
  name: textOption('NAME', 'Name for display'),
  plan: { ...textOption('PLAN', 'Cheapest plan that includes the model'), choices: planIds },
  context: tokens('Context window in tokens'),
  'max-output': tokens('Most tokens of one answer'),
  input: usd('USD per million input tokens'),
  output: usd('USD per million output tokens'),
  'cached-input': usd('USD per million cached input tokens'),
  route: list('PROVIDER/MODEL', 'Provider and its name for the model; can be repeated'),
  alias: list('NAME', 'Alternative name; can be repeated'),
} as const satisfies Record<string, Option>;
const dryRun = {
  'dry-run': { kind: 'flag', summary: 'Stores nothing, and prints what would change' },
} as const;

const model = { name: 'MODEL', summary: 'Id of the model', ids: 'models' } as const;
const newModel = { name: 'MODEL', summary: 'Id of the new model' } as const;
const newProvider = { name: 'PROVIDER', summary: 'Id of the new provider, or of a built-in one' } as const;

const providers = async () => import('./provider-setting-commands.ts');
const models = async () => import('./model-setting-commands.ts');

/** The commands for what operators set by form and API. */
export const settingCommandsTable: readonly Command[] = [
  {
    name: 'provider add',
    summary: 'Stores a provider, or the credential of a built-in one',
    positionals: [newProvider],
    options: {
      ...providerOptions,
      model: textOption('MODEL', 'Calls this model first, and stores nothing if that fails'),
      ...clientOptions,
    },
    examples: [
      'provider add openai --key-file openai.key',
      'provider add local --wire openai-chat --base-url http://127.0.0.1:9001/v1 --key-file -',
    ],
    load: async () => (await providers()).addProvider,
  },
  {
    name: 'provider set',
    summary: 'Changes a stored provider',
    positionals: [providerPositional],
    options: { ...providerOptions, ...clientOptions },
    examples: ['provider set local --key-file new.key'],
    load: async () => (await providers()).setProvider,
  },
  {
    name: 'provider remove',
    summary: 'Removes a stored provider and its credential',
    positionals: [providerPositional],
    options: { yes: yesOption, ...clientOptions },
    examples: ['provider remove local'],
    load: async () => (await providers()).removeProvider,
  },
  {
    name: 'provider test',
    summary: 'Calls a provider: its list of models, and a short answer',
    positionals: [providerPositional],
    options: { ...modelOption, ...clientOptions },
    examples: ['provider test openai --model gpt-5.5'],
    load: async () => (await providers()).testProvider,
  },
  {
    name: 'models add',
    summary: 'Stores a model',
    positionals: [newModel],
    options: { ...modelOptions, ...dryRun, ...clientOptions },
    examples: ['models add small --context 131072 --input 1 --output 4 --route local/small-1'],
    load: async () => (await models()).addModel,
  },
  {
    name: 'models set',
    summary: 'Changes a model; a stored row then lies over that of a file',
    positionals: [model],
    options: { ...modelOptions, ...dryRun, ...clientOptions },
    examples: ['models set small --input 2 --output 8 --dry-run'],
    load: async () => (await models()).setModel,
  },
  {
    name: 'models hide',
    summary: 'Takes a model out of lists and service, or returns it',
    positionals: [model],
    options: { show: { kind: 'flag', summary: 'Returns a hidden model' }, ...dryRun, ...clientOptions },
    examples: ['models hide small', 'models hide small --show'],
    load: async () => (await models()).hideModel,
  },
  {
    name: 'models remove',
    summary: 'Removes the stored row of a model; that of a file serves again',
    positionals: [model],
    options: { ...dryRun, ...clientOptions },
    examples: ['models remove small'],
    load: async () => (await models()).removeModel,
  },
  {
    name: 'secret rotate',
    summary: 'Encrypts all stored credentials with a new key while the server runs',
    options: {
      'new-key-file': textOption(
        'FILE',
        'File with the new key; - reads standard input (default: a generated key)',
      ),
      ...clientOptions,
    },
    examples: ['secret rotate', 'secret rotate --new-key-file new.key'],
    load: async () => (await import('./rotate-secrets.ts')).rotateSecrets,
  },
];
