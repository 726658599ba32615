import type { Option } from '../../components/select.tsx';

/** The roles of operators, from the weakest. */
export const roleOptions: readonly Option[] = [
  { value: 'read_only', label: 'Read only' },
  { value: 'operator', label: 'Operator: everything except tokens and people' },
  { value: 'owner', label: 'Owner: everything' },
];
