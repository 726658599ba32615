import { realpath, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instantOf } from '../../../base/lib/instant-of.ts';
import { BASE_ROW } from '../../../money/ledger/rate-row.ts';
import type { Catalog } from '../../../settings/catalog/catalog.ts';
import type { Model } from '../../../settings/catalog/model.ts';
import { pricingOf } from '../../../settings/catalog/model-of-row.ts';
import { type ConfigProblem, formatProblem } from '../../../settings/config/config-problem.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import { configFileOf } from '../../../settings/config/environment-overrides.ts';
import { loadConfig } from '../../../settings/config/load-config.ts';
import type { PriceRow } from '../../../settings/config/price-schema.ts';
import { type PriceFile, readPriceFile } from '../../../settings/config/read-price-file.ts';
import { readTextFile } from '../../../settings/config/read-text-file.ts';
import { replaceFile, writeNew } from '../../../settings/config/replace-file.ts';
import { type NewPrices, withPrices } from '../../../settings/config/with-prices.ts';
import { callAdmin } from '../admin-client.ts';
import { checkConfiguration } from '../check-configuration.ts';
import type { Run } from '../command.ts';
import { CommandFailure, UsageError } from '../command-failure.ts';
import { confirm } from '../confirm.ts';
import { formatTable } from '../format-table.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';
import { type AccountUse, accountsUsing } from './accounts-using.ts';
import { type PriceChange, priceChanges } from './price-changes.ts';
import { readPrices } from './read-prices.ts';

/** `rows`: the prices to write, by the name that the configuration has for the model. `models`: their ids. */
type Plan = {
  changes: PriceChange[];
  rows: Map<string, PriceRow>;
  models: Set<string>;
  skipped: string[];
  /** The time of issue to write. `undefined` means that it stays as it is. */
  issuedAt: string | undefined;
};
type Environment = Invocation['terminal']['environment'];

/** Writes the prices of a file or an address to the configuration, as far as they differ. */
export const updatePrices: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  if (file === null) throw new UsageError('--config FILE is missing, and TOLLGATE_CONFIG is not set');
  const original = await textOf(file);
  const configured = await loadConfig({ file, environment });
  if ('problems' in configured) return report(invocation, configured.problems);
  const priceFile = await takenFrom(invocation, configured.config);
  if ('problems' in priceFile) return report(invocation, priceFile.problems);
  const checked = await checkConfiguration({ file, environment });
  if (!checked.catalog) return report(invocation, checked.problems);
  const plan = planOf(priceFile, { catalog: checked.catalog, config: configured.config });
  const accounts = await usesOf(invocation, plan);
  if (!invocation.flag('json')) show(invocation, plan, accounts);
  const isWanted = !invocation.flag('dry-run');
  const changes = isWanted && plan.changes.length > 0;
  const writes = changes || (isWanted && plan.issuedAt !== undefined);
  if (changes) await confirm(invocation, `Change the prices of ${plan.models.size} models in ${file}?`);
  if (writes) await write({ file, original, prices: plan, environment });
  await reportUpdate(invocation, { file, plan, accounts, changes, writes });
  return 0;
};

/** Reads the price file, unless its signature is missing or it is older than the last one. */
async function takenFrom(
  invocation: Invocation,
  { catalog: { price_keys: keys, prices_issued_at: last } }: Config,
): Promise<PriceFile | { problems: ConfigProblem[] }> {
  const place = invocation.positional('FILE')!;
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

function report({ terminal }: Invocation, problems: readonly ConfigProblem[]): number {
  for (const problem of problems) terminal.remark(formatProblem(problem));
  return 1;
}

type Current = { catalog: Catalog; config: Config };

/** Compares the prices of the file with those of the catalog. */
function planOf({ prices, issued_at }: PriceFile, { catalog, config }: Current): Plan {
  const plan: Plan = {
    changes: [],
    rows: new Map(),
    models: new Set(),
    skipped: [],
    issuedAt: issueOf(issued_at, config),
  };
  const ids = new Map<string, string>();
  for (const [name, row] of Object.entries(prices)) {
    const model = catalog.find(name)?.model;
    if (!model) {
      plan.skipped.push(name);
      continue;
    }
    const other = ids.get(model.id);
    if (other !== undefined) throw new CommandFailure(`${other} and ${name} are names of one model`);
    ids.set(model.id, name);
    const changes = [...priceChanges(model.id, model.pricing, pricingOf(row)), ...confirmation(model, row)];
    if (changes.length > 0) {
      plan.models.add(model.id);
      plan.rows.set(nameIn(config, { catalog, model }), row);
    }
    plan.changes.push(...changes);
  }
  if (plan.changes.length > 0) plan.issuedAt ??= issued_at;
  return plan;
}

/**
 * While there are keys, the time of each file counts, even if it changes no price.
 * Otherwise an older file could follow.
 */
const issueOf = (
  issuedAt: string | undefined,
  { catalog: { price_keys: keys, prices_issued_at: last } }: Config,
): string | undefined => (keys.length > 0 && issuedAt !== (last ?? undefined) ? issuedAt : undefined);

/** `catalog.prices` may name the model by an alias. The last of several names counts. */
const nameIn = (
  { catalog: { prices } }: Config,
  { catalog, model }: { catalog: Catalog; model: Model },
): string => Object.keys(prices).findLast((name) => catalog.find(name)?.model.id === model.id) ?? model.id;

/** A price that stays as it is can be confirmed. */
function confirmation({ id, confirmations }: Model, { confirmed_at: to }: PriceRow): PriceChange[] {
  const from = confirmations.find(({ row }) => row === BASE_ROW)?.at ?? null;
  return to === undefined || to === from
    ? []
    : [{ model: id, row: BASE_ROW, field: 'confirmed_at', from, to }];
}

/** Without a running server, the accounts are not known. */
const usesOf = (invocation: Invocation, { models }: Plan): Promise<AccountUse[]> =>
  models.size === 0 ? Promise.resolve([]) : accountsUsing(invocation, models).catch(noServer);

function noServer(error: unknown): AccountUse[] {
  if (error instanceof CommandFailure) return [];
  throw error;
}

const cell = (value: unknown): string => {
  if (value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

function show({ terminal }: Invocation, { changes, skipped }: Plan, accounts: readonly AccountUse[]): void {
  if (skipped.length > 0) terminal.remark(`Skipped, because no model has this name: ${skipped.join(', ')}`);
  if (changes.length === 0) {
    terminal.print('No price changes.');
    return;
  }
  const columns = (['model', 'row', 'field', 'from', 'to'] as const).map((name) => ({
    title: name,
    cell: (change: PriceChange) => cell(change[name]),
  }));
  terminal.print(formatTable(columns, changes));
  if (accounts.length === 0) return;
  terminal.print('\nAccounts that used these models in the last 30 days:');
  terminal.print(
    formatTable(
      [
        { title: 'account', cell: (use: AccountUse) => use.account_id },
        { title: 'model', cell: (use: AccountUse) => use.model },
        { title: 'requests', cell: (use: AccountUse) => use.requests_30d },
      ],
      accounts,
    ),
  );
}

async function textOf(file: string): Promise<string> {
  const contents = await readTextFile(file);
  if ('reason' in contents) throw new CommandFailure(`${file} ${contents.reason}`);
  return contents.text;
}

type Writing = { file: string; original: string; prices: NewPrices; environment: Environment };

/**
 * The new text is checked as a start would read it, before it replaces the text that
 * the changes were computed from.
 */
async function write({ file, original, prices, environment }: Writing): Promise<void> {
  const text = withPrices(original, prices);
  if (text === undefined || !(await hasPrices(text, prices.rows, environment)))
    throw new CommandFailure(`${file} cannot be extended by this command; write catalog.prices yourself`);
  if (!(await replaceFile(await realpath(file), { from: original, to: text })))
    throw new CommandFailure(`${file} was changed meanwhile; repeat the command`);
}

async function hasPrices(text: string, rows: NewPrices['rows'], environment: Environment): Promise<boolean> {
  const draft = join(tmpdir(), `tollgate-prices-${crypto.randomUUID()}.yaml`);
  await writeNew(draft, text, 0o600);
  try {
    const { catalog } = await checkConfiguration({ file: draft, environment });
    return [...rows].every(([id, row]) => {
      const pricing = catalog?.find(id)?.model.pricing;
      return pricing !== undefined && priceChanges(id, pricing, pricingOf(row)).length === 0;
    });
  } finally {
    await unlink(draft);
  }
}

/** `changes`: prices changed. `writes`: the file changed. */
type Outcome = {
  file: string;
  plan: Plan;
  accounts: readonly AccountUse[];
  changes: boolean;
  writes: boolean;
};

/** Reloads a running server, and reports what happened. */
async function reportUpdate(
  invocation: Invocation,
  { file, plan, accounts, changes, writes }: Outcome,
): Promise<void> {
  const isReloaded = changes && (await reloads(invocation));
  const update = { file, changes: plan.changes, accounts, skipped: plan.skipped };
  if (invocation.flag('json')) printJson(invocation, { ...update, written: writes, reloaded: isReloaded });
  else if (changes)
    invocation.terminal.print(
      isReloaded
        ? `${file} is changed, and the running server has reloaded its configuration.`
        : `${file} is changed. A running server uses the prices after its next reload.`,
    );
}

/** Without a running server there is nothing to reload. */
const reloads = (invocation: Invocation): Promise<boolean> =>
  callAdmin(invocation, 'POST /reload').then(
    () => true,
    (error: unknown) => {
      if (error instanceof CommandFailure) return false;
      throw error;
    },
  );
