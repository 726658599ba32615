import { readFile } from 'node:fs/promises';
import { isObject } from '../../base/lib/is-object.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import type { Catalog } from '../../settings/catalog/catalog.ts';
import { ConfigSchema } from '../../settings/config/config-schema.ts';
import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { readYaml } from '../../settings/config/yaml-source.ts';
import { callAdmin } from './call-admin.ts';
import { checkSdks } from './catalog/check-sdks.ts';
import { aheadLine, priceReport, unconfirmedLine } from './catalog/price-report.ts';
import { type Checked, checkCatalogFile, checkConfiguration } from './check-configuration.ts';
import { coloured } from './colour.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { field, printFields, printList } from './print-answer.ts';
import { reportChecked } from './report-checked.ts';

type Model = AdminItem<'GET /catalog'>;

const columns: readonly Column<Model>[] = [
  field('id'),
  field('kind'),
  field('plan'),
  field('context_window', 'context'),
  { title: 'input', cell: (row) => row.pricing_usd_per_mtok.input },
  { title: 'output', cell: (row) => row.pricing_usd_per_mtok.output },
  {
    title: 'providers',
    cell: (row) => (row.simulated ? 'simulated' : usableProviders(row).join(' ')),
  },
];

/**
 * Returns the providers of a model that can be called now. A model without any is listed but not available.
 */
const usableProviders = ({ routes }: Model): string[] =>
  routes.filter(({ usable }) => usable).map(({ provider }) => provider);

export const listModels: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'GET /catalog');
  const plan = invocation.text('plan');
  const kind = invocation.text('kind');
  const data = answer.data.filter(
    (row) => (plan === undefined || row.plan === plan) && (kind === undefined || row.kind === kind),
  );
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  await printList(invocation, { ...answer, data, ...ends }, { key: 'GET /catalog', columns });
  return 0;
};

export const showModel: Run = async (invocation) => {
  const params = { id: invocation.required('MODEL') };
  printFields(invocation, await callAdmin(invocation, 'GET /catalog/{id*}', { params }));
  return 0;
};

export const checkCatalog: Run = async (invocation) => {
  const file = invocation.positional('FILE');
  const checked = await checkFile(invocation, file);
  const name = file ?? 'The configuration';
  if (!checked.catalog) return reportChecked(invocation, name, checked);
  if (invocation.flag('sdks')) return checkSdks(invocation, checked.catalog);
  return reportCatalog(invocation, { ...checked, file: name, catalog: checked.catalog });
};

/** Prints what `config check` prints, the prices that need confirmation, and future price changes. */
function reportCatalog(
  invocation: Invocation,
  { file, catalog, ...checked }: Checked & { file: string; catalog: Catalog },
): number {
  const prices = priceReport(catalog, Date.now());
  const { terminal } = invocation;
  const code = reportChecked(invocation, file, checked, prices);
  if (invocation.flag('json')) return code;
  for (const price of prices.unconfirmed)
    terminal.print(`${coloured(terminal, 'yellow', 'warn')} ${unconfirmedLine(price)}`);
  for (const price of prices.ahead) terminal.print(aheadLine(price));
  return code;
}

/** Checks a configuration or a catalog file. Without a file, it checks the server's configuration. */
async function checkFile(invocation: Invocation, file: string | undefined): Promise<Checked> {
  const { environment } = invocation.terminal;
  const configFile = configFileOf(invocation.text('config'), environment);
  if (file === undefined) return checkConfiguration({ file: configFile, environment });
  return (await holdsWholeConfiguration(file))
    ? checkConfiguration({ file, environment })
    : checkCatalogFile(file, environment, configFile);
}

/** Reports whether a file has a section of a configuration at the top level. A catalog file has none. */
async function holdsWholeConfiguration(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const { value } = readYaml(text, null);
  return isObject(value) && Object.keys(value).some((key) => Object.hasOwn(ConfigSchema.properties, key));
}
