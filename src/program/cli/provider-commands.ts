import { type AdminAnswer, callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { field, printFields, printList } from './print-answer.ts';

const inWords = (word: string): string => word.replaceAll('-', ' ');

/** The list has a line for each provider. `provider show` has the whole error. */
const MOST_OF_AN_ERROR = 60;

const lastErrorOf = ({ status, code, type, message }: AdminAnswer): string => {
  const text = [status, code ?? type, message].filter((part) => part !== null).join(': ');
  return text.length > MOST_OF_AN_ERROR ? `${text.slice(0, MOST_OF_AN_ERROR)}…` : text;
};

const columns = [
  field('id'),
  { title: 'mode', cell: (row: AdminAnswer) => inWords(row.mode) },
  { title: 'health', cell: (row: AdminAnswer) => inWords(row.health) },
  field('slots_in_use', 'in use'),
  field('max_concurrent', 'most'),
  field('queue_length', 'queue'),
  { title: 'p50 ms', cell: (row: AdminAnswer) => row.latency_ms.p50 },
  { title: 'p99 ms', cell: (row: AdminAnswer) => row.latency_ms.p99 },
  field('error_rate', 'error rate'),
  field('base_url', 'address'),
  { title: 'last error', cell: ({ last_error: error }: AdminAnswer) => error && lastErrorOf(error) },
  { title: 'missing variables', cell: (row: AdminAnswer) => row.missing_variables?.join(' ') },
];

export const listProviders: Run = async (invocation) => {
  await printList(invocation, await callAdmin(invocation, { path: '/providers' }), {
    name: 'providers',
    columns,
  });
  return 0;
};

const forOne =
  (method: 'GET' | 'POST', rest = ''): Run =>
  async (invocation) => {
    const path = `/providers/${encodeURIComponent(invocation.positional('PROVIDER')!)}${rest}`;
    printFields(invocation, await callAdmin(invocation, { method, path }));
    return 0;
  };

export const showProvider = forOne('GET');
export const drainProvider = forOne('POST', '/drain');
export const undrainProvider = forOne('POST', '/undrain');
