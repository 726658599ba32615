import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printFields, printList } from './print-answer.ts';

type Provider = AdminItem<'GET /providers'>;

const inWords = (word: string): string => word.replaceAll('-', ' ');

/** The list has a line for each provider. `provider show` has the whole error. */
const MAX_OF_AN_ERROR = 60;

const lastErrorOf = ({ status, code, type, message }: NonNullable<Provider['last_error']>): string => {
  const text = [status, code ?? type, message].filter((part) => part !== null).join(': ');
  return text.length > MAX_OF_AN_ERROR ? `${text.slice(0, MAX_OF_AN_ERROR)}…` : text;
};

const columns: readonly Column<Provider>[] = [
  field('id'),
  { title: 'mode', cell: (row) => inWords(row.mode) },
  { title: 'health', cell: (row) => inWords(row.health) },
  field('slots_in_use', 'in use'),
  field('max_concurrent', 'most'),
  field('queue_length', 'queue'),
  { title: 'p50 ms', cell: (row) => row.latency_ms.p50 },
  { title: 'p99 ms', cell: (row) => row.latency_ms.p99 },
  field('error_rate', 'error rate'),
  field('base_url', 'address'),
  { title: 'last error', cell: ({ last_error: error }) => error && lastErrorOf(error) },
  { title: 'missing variables', cell: (row) => row.missing_variables.join(' ') },
];

export const listProviders: Run = async (invocation) => {
  await printList(invocation, await callAdmin(invocation, 'GET /providers'), {
    key: 'GET /providers',
    columns,
  });
  return 0;
};

const forOne =
  (key: 'GET /providers/{id}' | 'POST /providers/{id}/drain' | 'POST /providers/{id}/undrain'): Run =>
  async (invocation) => {
    printFields(
      invocation,
      await callAdmin(invocation, key, { params: { id: invocation.required('PROVIDER') } }),
    );
    return 0;
  };

export const showProvider = forOne('GET /providers/{id}');
export const drainProvider = forOne('POST /providers/{id}/drain');
export const undrainProvider = forOne('POST /providers/{id}/undrain');
