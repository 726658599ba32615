import { planIds } from '../../settings/plans/plan.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import { clientOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { configOption, jsonOption } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { textOption } from './option-kinds.ts';
import { listOptions } from './print-answer.ts';

const catalog = () => import('./catalog-commands.ts');
const configuration = () => import('./config-commands.ts');

/** The commands that show models and check a configuration. */
export const catalogCommandsTable: readonly Command[] = [
  {
    name: 'catalog list',
    summary: 'Lists the models of the running server',
    options: {
      plan: { ...textOption('PLAN', 'Lists only models whose cheapest plan is PLAN'), choices: planIds },
      kind: { ...textOption('KIND', 'Lists only models of this kind'), choices: modelKinds },
      ...listOptions,
      ...clientOptions,
    },
    examples: ['catalog list --plan free', 'catalog list --kind embedding --json'],
    load: async () => (await catalog()).listModels,
  },
  {
    name: 'catalog show',
    summary: 'Shows a model',
    positionals: [{ name: 'MODEL', summary: 'Id or alias of the model', ids: 'models' }],
    options: clientOptions,
    examples: ['catalog show @svc/gpt-oss-120b'],
    load: async () => (await catalog()).showModel,
  },
  {
    name: 'catalog check',
    summary: 'Checks a catalog, and lists unconfirmed prices and future price changes',
    positionals: [
      {
        name: 'FILE',
        summary: 'Catalog file or configuration file (default: the configuration, or the default catalog)',
        optional: true,
      },
    ],
    options: {
      sdks: {
        kind: 'flag',
        summary: 'Prints the model ids of the installed SDKs that the catalog does not resolve',
      },
      config: configOption,
      json: jsonOption,
    },
    examples: [
      'catalog check models.yaml',
      'catalog check models.yaml --config tollgate.yaml',
      'catalog check --sdks',
    ],
    load: async () => (await catalog()).checkCatalog,
  },
  {
    name: 'catalog update',
    summary: 'Writes the prices of a price file to the configuration, and prints what changes',
    positionals: [{ name: 'FILE', summary: 'Price file or its URL, YAML or JSON' }],
    options: {
      'dry-run': { kind: 'flag', summary: 'Prints the changes only' },
      unsigned: {
        kind: 'flag',
        summary: 'Accepts a URL without a signature while catalog.price_keys is empty',
      },
      config: { ...configOption, summary: 'Configuration file to change (default: TOLLGATE_CONFIG)' },
      yes: yesOption,
      ...clientOptions,
    },
    examples: [
      'catalog update prices.yaml --config tollgate.yaml --dry-run',
      'catalog update prices.yaml --config tollgate.yaml',
    ],
    load: async () => (await import('./catalog/update-prices.ts')).updatePrices,
  },
  {
    name: 'config check',
    summary: 'Checks a configuration without starting a server and reports problems with line and field',
    positionals: [{ name: 'FILE', summary: 'Configuration file (default: TOLLGATE_CONFIG)', optional: true }],
    options: { config: { ...configOption, summary: 'Same as FILE' }, json: jsonOption },
    examples: ['config check tollgate.yaml'],
    load: async () => (await configuration()).checkConfig,
  },
  {
    name: 'config schema',
    summary: 'Prints the JSON Schema of the configuration, for editors',
    options: {
      catalog: { kind: 'flag', summary: 'Prints the schema of a catalog file instead' },
      json: { kind: 'flag', summary: 'Has no effect; the schema is always JSON' },
    },
    examples: ['config schema', 'config schema --catalog'],
    load: async () => (await configuration()).printSchema,
  },
];
