import type { Option } from './command.ts';
import type { Invocation } from './invocation.ts';
import { textOption } from './option-kinds.ts';

/** The options of a list that comes in pages. */
export const pageOptions = {
  limit: {
    kind: 'number',
    integer: true,
    minimum: 1,
    maximum: 1_000,
    unit: 'results',
    summary: 'Maximum number of results (default 50)',
  },
  after: textOption('ID', 'Only results after this id'),
} as const satisfies Record<string, Option>;

/** Returns the query of a page. */
export const pageOf = (invocation: Invocation) => ({
  limit: invocation.number('limit'),
  after: invocation.text('after'),
});
