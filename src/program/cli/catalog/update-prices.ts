import { counted } from '../../../base/lib/counted.ts';
import { instantOf } from '../../../base/lib/instant-of.ts';
import { type ConfigProblem, formatProblem } from '../../../settings/config/config-problem.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import { configFileOf } from '../../../settings/config/environment-overrides.ts';
import { loadConfig } from '../../../settings/config/load-config.ts';
import { type PriceFile, readPriceFile } from '../../../settings/config/read-price-file.ts';
import { readTextFile } from '../../../settings/config/read-text-file.ts';
import { callAdmin } from '../call-admin.ts';
import { checkConfiguration } from '../check-configuration.ts';
import type { Run } from '../command.ts';
import { CommandFailure, UsageError } from '../command-failure.ts';
import { confirm } from '../confirm.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';
import { accountsUsing } from './accounts-using.ts';
import { modelsWithStoredRows } from './models-with-stored-rows.ts';
import { planUpdate } from './plan-update.ts';
import { readPrices } from './read-prices.ts';
import { showUpdate } from './show-update.ts';
import { writePrices } from './write-prices.ts';

/** Writes the prices of a file or an address to the configuration, as far as they differ. */
export const updatePrices: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  if (file === null) throw new UsageError('--config FILE is missing, and TOLLGATE_CONFIG is not set');
  const original = await readConfiguration(file);
  const configured = await loadConfig({ file, environment });
  if ('problems' in configured) return report(invocation, configured.problems);
  const priceFile = await readNewPrices(invocation, configured.config);
  if ('problems' in priceFile) return report(invocation, priceFile.problems);
  const checked = await checkConfiguration({ file, environment });
  if (!checked.catalog) return report(invocation, checked.problems);
  const update = planUpdate(priceFile, { catalog: checked.catalog, config: configured.config });
  const { changes, skipped, models, issuedAt } = update;
  const uses = models.size === 0 ? undefined : await ifServed(accountsUsing(invocation, models));
  const accounts = uses ?? [];
  const stored = uses === undefined ? [] : await modelsWithStoredRows(invocation, models);
  const isJson = invocation.flag('json');
  if (stored.length > 0) invocation.terminal.remark(storedText(stored));
  if (!isJson) showUpdate(invocation.terminal, update, accounts);
  const isChanged = !invocation.flag('dry-run') && changes.length > 0;
  const isWritten = isChanged || (!invocation.flag('dry-run') && issuedAt !== undefined);
  if (isChanged)
    await confirm(invocation, `Change the prices of ${counted(models.size, 'model')} in ${file}?`);
  if (isWritten) await writePrices({ file, original, prices: update, environment });
  const isReloaded = isChanged && (await ifServed(callAdmin(invocation, 'POST /reload'))) !== undefined;
  if (isJson)
    printJson(invocation, { file, changes, accounts, skipped, written: isWritten, reloaded: isReloaded });
  else if (isChanged) invocation.terminal.print(`${file} is changed${reloadText(isReloaded)}`);
  return 0;
};

const storedText = (ids: readonly string[]): string =>
  `Prices of stored rows apply instead of those of the file. These models have stored rows: ${ids.join(', ')}. ` +
  'Compare with `catalog show MODEL`, and change the rows with `models set` or `models remove`.';

const reloadText = (isReloaded: boolean): string =>
  isReloaded
    ? ', and the running server has reloaded its configuration.'
    : '. A running server uses the prices after its next reload.';

/** Reads the price file, unless its signature is missing or it is older than the last one. */
async function readNewPrices(
  invocation: Invocation,
  { catalog: { price_keys: keys, prices_issued_at: last } }: Config,
): Promise<PriceFile | { problems: ConfigProblem[] }> {
  const place = invocation.required('FILE');
  const text = await readPrices({ place, keys, isUnsigned: invocation.flag('unsigned') });
  const priceFile = readPriceFile(place, text);
  if ('problems' in priceFile || keys.length === 0 || last === null) return priceFile;
  if (priceFile.issued_at === undefined)
    throw new CommandFailure(`${place} has no issued_at, and the last prices were issued at ${last}`);
  if (instantOf(priceFile.issued_at) < instantOf(last))
    throw new CommandFailure(
      `${place} was issued at ${priceFile.issued_at}, before the last prices, which were issued at ${last}`,
    );
  return priceFile;
}

async function readConfiguration(file: string): Promise<string> {
  const contents = await readTextFile(file);
  if ('reason' in contents) throw new CommandFailure(`${file} ${contents.reason}`);
  return contents.text;
}

function report({ terminal }: Invocation, problems: readonly ConfigProblem[]): number {
  for (const problem of problems) terminal.remark(formatProblem(problem));
  return 1;
}

/** Returns the answer of a running server, or undefined if none answers the command. */
async function ifServed<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
}
