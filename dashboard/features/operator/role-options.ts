import type { Option } from '../../components/select.tsx';
import type { TokenRow } from './rows.ts';

/** The roles of operators, from the weakest. */
export const roleOptions: readonly Option<TokenRow['role']>[] = [
  { value: 'read_only', label: 'Read only: no changes, no recorded content' },
  { value: 'operator', label: 'Operator: everything except tokens and people' },
  { value: 'owner', label: 'Owner: everything' },
];
