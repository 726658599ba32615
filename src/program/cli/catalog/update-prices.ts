import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../../settings/catalog/catalog.ts';
import type { Pricing } from '../../../settings/catalog/model.ts';
import { pricingOf } from '../../../settings/catalog/model-of-row.ts';
import { type ConfigProblem, formatProblem } from '../../../settings/config/config-problem.ts';
import { configFileOf } from '../../../settings/config/environment-overrides.ts';
import { loadPriceFile } from '../../../settings/config/load-price-file.ts';
import type { PriceRow } from '../../../settings/config/price-schema.ts';
import { readTextFile } from '../../../settings/config/read-text-file.ts';
import { replaceFile, writeNew } from '../../../settings/config/replace-file.ts';
import { withPrices } from '../../../settings/config/with-prices.ts';
import { checkConfiguration } from '../check-configuration.ts';
import type { Run } from '../command.ts';
import { CommandFailure, UsageError } from '../command-failure.ts';
import { confirm } from '../confirm.ts';
import { formatTable } from '../format-table.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';

/** A price that the file changes. Null: the input price. */
type Change = { model: string; price: string; now: number | null; next: number | null };

type Plan = { changes: Change[]; rows: Map<string, PriceRow>; skipped: string[] };

/** Writes the prices of a file to the configuration, as far as they differ. */
export const updatePrices: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  if (file === null) throw new UsageError('--config FILE is missing, and TOLLGATE_CONFIG is not set');
  const given = await loadPriceFile(invocation.positional('FILE')!);
  if ('problems' in given) return report(invocation, given.problems);
  const checked = await checkConfiguration({ file, environment });
  if (!checked.catalog) return report(invocation, checked.problems);
  const plan = planOf(given.prices, checked.catalog);
  const isJson = invocation.flag('json');
  if (!isJson) show(invocation, plan);
  const writes = plan.changes.length > 0 && !invocation.flag('dry-run');
  if (writes) {
    await confirm(invocation, `Change the prices of ${plan.rows.size} models in ${file}?`);
    await write({ file, rows: plan.rows, environment });
  }
  if (isJson) printJson(invocation, { file, changes: plan.changes, skipped: plan.skipped, written: writes });
  else if (writes)
    invocation.terminal.print(
      `${file} is changed. A running server takes the prices over at its next reload.`,
    );
  return 0;
};

function report({ terminal }: Invocation, problems: readonly ConfigProblem[]): number {
  for (const problem of problems) terminal.remark(formatProblem(problem));
  return 1;
}

const fields = { input: 'input', output: 'output', cachedInput: 'cached_input' } as const;

/** Compares the prices of the file with those of the catalog. */
function planOf(prices: Readonly<Record<string, PriceRow>>, catalog: Catalog): Plan {
  const plan: Plan = { changes: [], rows: new Map(), skipped: [] };
  const seen = new Map<string, string>();
  for (const [name, row] of Object.entries(prices)) {
    const model = catalog.find(name)?.model;
    if (!model) {
      plan.skipped.push(name);
      continue;
    }
    const other = seen.get(model.id);
    if (other !== undefined) throw new CommandFailure(`${other} and ${name} are names of one model`);
    seen.set(model.id, name);
    const changes = changesOf(model.id, model.pricing, pricingOf(row));
    if (changes.length > 0) plan.rows.set(model.id, row);
    plan.changes.push(...changes);
  }
  return plan;
}

const changesOf = (model: string, now: Pricing, next: Pricing): Change[] =>
  (Object.keys(fields) as (keyof typeof fields)[])
    .filter((field) => now[field] !== next[field])
    .map((field) => ({ model, price: fields[field], now: now[field], next: next[field] }));

function show({ terminal }: Invocation, { changes, skipped }: Plan): void {
  if (skipped.length > 0) terminal.remark(`Skipped, since no model has the name: ${skipped.join(', ')}`);
  if (changes.length === 0) {
    terminal.print('No price changes.');
    return;
  }
  const columns = (['model', 'price', 'now', 'next'] as const).map((name) => ({
    title: name,
    cell: (change: Change) => (change[name] === null ? '–' : change[name]),
  }));
  terminal.print(formatTable(columns, changes));
}

type Writing = {
  file: string;
  rows: ReadonlyMap<string, PriceRow>;
  environment: Invocation['terminal']['environment'];
};

/** The new text is checked as a start would read it, before it replaces the old one. */
async function write({ file, rows, environment }: Writing): Promise<void> {
  const read = await readTextFile(file);
  if ('reason' in read) throw new CommandFailure(`${file} ${read.reason}`);
  const text = withPrices(read.text, rows);
  if (text === undefined || !(await hasPrices(text, rows, environment)))
    throw new CommandFailure(`${file} cannot be extended by this command; write catalog.prices yourself`);
  await replaceFile(file, text);
}

async function hasPrices(
  text: string,
  rows: Writing['rows'],
  environment: Writing['environment'],
): Promise<boolean> {
  const draft = join(tmpdir(), `tollgate-prices-${crypto.randomUUID()}.yaml`);
  await writeNew(draft, text, 0o600);
  try {
    const { catalog } = await checkConfiguration({ file: draft, environment });
    return [...rows].every(([id, row]) => {
      const pricing = catalog?.find(id)?.model.pricing;
      return pricing !== undefined && changesOf(id, pricing, pricingOf(row)).length === 0;
    });
  } finally {
    await unlink(draft);
  }
}
