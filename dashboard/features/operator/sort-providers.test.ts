import { expect, test } from 'bun:test';
import { sortProviders } from './sort-providers.ts';

type Row = Parameters<typeof sortProviders>[0][number] & { id: string };

const provider = (id: string, fields: Partial<Row> = {}): Row => ({
  id,
  mode: 'live',
  health: 'up',
  requests_total: 0,
  missing_variables: [],
  ...fields,
});
const missing = { missing_variables: ['A_KEY'] };

test('providers with a fault come first, and idle stand-ins of the simulator have no cards', () => {
  const sorted = sortProviders([
    provider('fine'),
    provider('drained', { health: 'drained' }),
    provider('weak', { health: 'degraded' }),
    provider('idle', { mode: 'simulated', ...missing }),
    provider('called', { mode: 'simulated', requests_total: 3, ...missing }),
    provider('down', { health: 'down' }),
    provider('unset', { mode: 'not-set-up', health: 'not-set-up', ...missing }),
    provider('simulator', { mode: 'not-set-up', health: 'not-set-up' }),
  ]);
  const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);
  expect(ids(sorted.used)).toEqual(['down', 'weak', 'drained', 'fine', 'called']);
  expect([ids(sorted.standIns), ids(sorted.unused)]).toEqual([['idle'], ['unset']]);
});
