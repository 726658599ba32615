import { readFile } from 'node:fs/promises';
import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { type AdminAnswer, callAdmin } from './admin-client.ts';
import { checkCatalogFile, checkConfiguration } from './check-configuration.ts';
import type { Run } from './command.ts';
import { reportChecked } from './config-commands.ts';
import { field, printFields, printList } from './print-answer.ts';

const columns = [
  field('id'),
  field('kind'),
  field('plan'),
  field('context_window', 'context'),
  { title: 'input', cell: (row: AdminAnswer) => row.pricing_usd_per_mtok.input },
  { title: 'output', cell: (row: AdminAnswer) => row.pricing_usd_per_mtok.output },
  {
    title: 'providers',
    cell: (row: AdminAnswer) => (row.simulated ? 'simulated' : usableProviders(row).join(' ')),
  },
];

/** Returns the providers of a model that can be called now. A model without any is listed but not available. */
const usableProviders = (row: AdminAnswer): string[] =>
  row.routes.filter((route: AdminAnswer) => route.usable).map((route: AdminAnswer) => route.provider);

export const listModels: Run = async (invocation) => {
  const answer = await callAdmin(invocation, { path: '/catalog' });
  const plan = invocation.text('plan');
  const kind = invocation.text('kind');
  const data = answer.data.filter(
    (row: AdminAnswer) =>
      (plan === undefined || row.plan === plan) && (kind === undefined || row.kind === kind),
  );
  printList(
    invocation,
    { ...answer, data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
    columns,
  );
  return 0;
};

export const showModel: Run = async (invocation) => {
  const path = `/catalog/${encodeURIComponent(invocation.positional('MODEL')!)}`;
  printFields(invocation, await callAdmin(invocation, { path }));
  return 0;
};

export const checkCatalog: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = invocation.positional('FILE')!;
  const checked = (await holdsWholeConfiguration(file))
    ? await checkConfiguration({ file, environment })
    : await checkCatalogFile(file, environment, configFileOf(invocation.text('config'), environment));
  return reportChecked(invocation, file, checked);
};

/** Reports whether a file is a configuration. A configuration has the key `catalog` at the top level, a catalog file does not. */
async function holdsWholeConfiguration(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^catalog\s*:/m.test(text);
}
