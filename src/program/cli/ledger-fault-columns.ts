import type { verificationView } from '../../money/ledger/verification-view.ts';
import type { Column } from './format-table.ts';
import { field } from './print-answer.ts';

type LedgerFault = ReturnType<typeof verificationView>['faults'][number];

/** The table of the faults that a verification of the ledger has found. */
export const ledgerFaultColumns: readonly Column<LedgerFault>[] = [
  field('account_id', 'account'),
  field('what'),
  field('recorded'),
  field('recomputed'),
];
