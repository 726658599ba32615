import { accountNames } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { World } from '../world.ts';
import type { Amount } from './ledger-reader.ts';
import { readAdmin } from './read-admin.ts';

const MICROCREDITS_PER_CREDIT = 1_000_000;
/** The lengths of the windows in the text of a time. */
const dateLength = { day: 'yyyy-mm-dd'.length, month: 'yyyy-mm'.length } as const;

type Account = {
  plan: string;
  cycle_started_at: string;
  credits: { used: number; limit: number | null };
  purchased_credits: number;
  debt_credits: number;
};
type Budget = { id: string; account_id: string; window: keyof typeof dateLength; spent_usd: number };

/** A hold whose charge failed in the store and in the spool counts until the store works again. */
const MAX_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

/** Checks that the figures that a node keeps in memory are the sums of the entries while it is idle. */
export async function checkFigures(world: World, node: Gateway): Promise<void> {
  const { simulation } = world;
  const until = simulation.now + MAX_WAIT_MS;
  let differences = await findDifferences(world, node);
  while (differences.length > 0 && simulation.now < until) {
    await simulation.sleep(LOOK_EVERY_MS, 'looks whether the figures agree');
    differences = await findDifferences(world, node);
  }
  for (const difference of differences) simulation.fail(difference);
}

async function findDifferences(world: World, node: Gateway): Promise<string[]> {
  const { simulation, template, reader, operators } = world;
  const amounts = await reader.amounts();
  const differences: string[] = [];
  const compare = (name: string, shown: number, sum: number) => {
    if (Math.round(shown) !== sum) differences.push(`${name} is ${shown}, and the entries add up to ${sum}`);
  };
  for (const name of accountNames) {
    const { id } = template.accounts[name];
    const account = JSON.parse(await readAdmin(world, node, `/admin/v1/accounts/${id}`)) as Account;
    const own = amounts.filter(({ accountId }) => accountId === id);
    const period = account.plan === 'free' ? 'free' : `cycle-${Date.parse(account.cycle_started_at)}`;
    const used = sumOf(own.filter((one) => one.period === period && one.isUsage));
    compare(`the usage of ${name}`, account.credits.used * MICROCREDITS_PER_CREDIT, used);
    const purchased = own.filter((one) => one.period === 'purchased');
    const left =
      sumOf(purchased.filter(({ isUsage }) => !isUsage)) - sumOf(purchased.filter(({ isUsage }) => isUsage));
    const limit = operators.limits.get(`credits ${name}`)?.at(-1);
    // A downgrade at the end of a run takes effect at the renewal.
    const isOfCycle = (at: number) => simulation.startsAt + at >= Date.parse(account.cycle_started_at);
    if (limit?.answeredAt !== undefined && isOfCycle(limit.answeredAt)) {
      const grants = sumOf(own.filter((one) => one.period === period && isGiven(one)));
      const shown = (account.credits.limit ?? 0) * MICROCREDITS_PER_CREDIT;
      compare(`the credits given to ${name}`, shown, limit.microcredits + grants);
    }
    compare(
      `the credit of ${name}`,
      (account.purchased_credits - account.debt_credits) * MICROCREDITS_PER_CREDIT,
      left,
    );
  }
  const { data } = JSON.parse(await readAdmin(world, node, '/admin/v1/budgets')) as { data: Budget[] };
  for (const { id, account_id, window, spent_usd } of data) {
    const inWindow = (at: number) => new Date(at).toISOString().slice(0, dateLength[window]);
    // A request counts in the window of its admission, and its entry can be in the next one.
    if (inWindow(simulation.startsAt) !== inWindow(simulation.wallTime())) continue;
    const own = amounts.filter((one) => one.accountId === account_id);
    const spent = sumOf(own.filter(({ isUsage }) => isUsage)) - sumOf(own.filter(isDifference));
    compare(`the spending of ${id}`, spent_usd * MICROCREDITS_PER_USD, spent);
  }
  return differences;
}

/** The difference to an estimate changes what was charged. A negative one adds to the charge. */
const isDifference = ({ id }: Amount): boolean => id.startsWith('ent_late_');

/** A renewal has no amount. */
const isGiven = ({ kind }: Amount): boolean => kind === 'grant' || kind === 'adjustment';

const sumOf = (amounts: readonly Amount[]): number =>
  amounts.reduce((sum, { microcredits }) => sum + microcredits, 0);
