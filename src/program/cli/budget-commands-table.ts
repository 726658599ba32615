import { budgetKinds, budgetScopes, budgetWindows } from '../../money/budgets/budget.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { clientOptions } from './client-options.ts';
import type { Command, Positional } from './command.ts';
import { accountPositional } from './command-options.ts';
import { yesOption } from './confirm.ts';
import { textOption } from './option-kinds.ts';
import { pageOptions } from './page-options.ts';
import { listOptions } from './print-answer.ts';

const budgetPositional: Positional = { name: 'BUDGET', summary: 'Id of the budget' };
const usd = { kind: 'number', minimum: 0, maximum: MAX_USD, unit: 'USD', placeholder: 'USD' } as const;
const scope = { kind: 'text', placeholder: 'SCOPE', choices: budgetScopes } as const;

/** The fields that can be set later too. */
const fields = {
  name: textOption('NAME', 'Name of the budget'),
  'warn-share': {
    kind: 'number',
    minimum: 0,
    maximum: 1,
    placeholder: 'SHARE',
    summary: 'Share of the limit that sends a warning (default 0.8); 0 means none',
  },
} as const;

export const budgetCommandsTable: readonly Command[] = [
  {
    name: 'budget create',
    summary: 'Creates a budget; it counts what was spent in its window before',
    positionals: [accountPositional],
    options: {
      scope: { ...scope, summary: 'What the budget limits (default organization)' },
      target: textOption('TEXT', 'Key id, person id, end user or tag (default: each one by itself)'),
      window: { ...textOption('WINDOW', 'Window of time (default month)'), choices: budgetWindows },
      kind: { ...textOption('KIND', 'Kind of the window (default calendar, in UTC)'), choices: budgetKinds },
      limit: { ...usd, summary: 'Limit of the window' },
      ...fields,
      ...clientOptions,
    },
    examples: [
      'budget create acct_123 --scope end_user --window day --limit 2',
      'budget create "Ada Lovelace" --scope tag --target ci --window week --kind sliding --limit 50 --name CI',
    ],
    load: async () => (await import('./budget-commands.ts')).createBudget,
  },
  {
    name: 'budget list',
    summary: 'Lists budgets with what counts against each, and the monthly caps of keys',
    options: {
      account: {
        kind: 'text',
        placeholder: 'ACCOUNT',
        ids: 'accounts',
        summary: 'Only budgets of this account, by id or name',
      },
      scope: { ...scope, summary: 'Only budgets of this scope' },
      target: textOption('TEXT', 'Only budgets of this target'),
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['budget list', 'budget list --account acct_123 --scope key'],
    load: async () => (await import('./budget-commands.ts')).listBudgets,
  },
  {
    name: 'budget show',
    summary: 'Shows a budget',
    positionals: [budgetPositional],
    options: {
      targets: { kind: 'flag', summary: 'Lists what counts against it, by target' },
      ...pageOptions,
      ...listOptions,
      ...clientOptions,
    },
    examples: ['budget show bud_123', 'budget show bud_123 --targets'],
    load: async () => (await import('./budget-commands.ts')).showBudget,
  },
  {
    name: 'budget set',
    summary: 'Changes a budget',
    positionals: [budgetPositional],
    options: {
      limit: { ...usd, summary: 'The new limit' },
      ...fields,
      revision: {
        kind: 'number',
        integer: true,
        minimum: 1,
        summary: 'Refuses the change if the budget has a newer revision',
      },
      ...clientOptions,
    },
    examples: ['budget set bud_123 --limit 100', 'budget set bud_123 --warn-share 0'],
    load: async () => (await import('./budget-commands.ts')).setBudget,
  },
  {
    name: 'budget raise',
    summary: 'Raises a budget until a time; a second raise replaces the first',
    positionals: [budgetPositional],
    options: {
      add: { ...usd, summary: 'Amount that is added to the limit' },
      until: textOption('TIME', 'End of the raise, for example 2027-12-31T18:00Z'),
      reason: textOption('TEXT', 'Reason of the raise'),
      end: { kind: 'flag', summary: 'Ends the raise that there is' },
      ...clientOptions,
    },
    examples: [
      'budget raise bud_123 --add 20 --until 2027-01-01T00:00Z --reason launch',
      'budget raise bud_123 --end',
    ],
    load: async () => (await import('./budget-commands.ts')).raiseBudget,
  },
  {
    name: 'budget remove',
    summary: 'Deletes a budget',
    positionals: [budgetPositional],
    options: { yes: yesOption, ...clientOptions },
    examples: ['budget remove bud_123'],
    load: async () => (await import('./budget-commands.ts')).removeBudget,
  },
];
