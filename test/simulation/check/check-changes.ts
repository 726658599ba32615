import type { AccountName } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD, SMALL_USD } from '../gateway/configuration.ts';
import { setBudget, setCap, setCredits } from '../operators/set-limits.ts';
import type { World } from '../world.ts';
import { checkPlans } from './check-plans.ts';
import { checkRefused, checkServed } from './check-served.ts';

const SMALL = SMALL_USD * MICROCREDITS_PER_USD;
/** More than a run can spend. */
const AMPLE = 1_000 * SMALL;
const TAKEN_AT_ONCE = 3;

/**
 * Checks that changes of credit and limits hold at once. An amount that an ended hold still takes, or that
 * was counted twice, would prevent it.
 */
export async function checkChanges(world: World): Promise<void> {
  const { operators } = world;
  await checkPurchase(world);
  await move(world, 'capped', AMPLE);
  const limits = [
    { account: 'capped', set: (amount: number) => setCap(operators, amount) },
    { account: 'budgeted', set: (amount: number) => setBudget(operators, amount) },
    { account: 'monthly', set: (amount: number) => setCredits(operators, amount) },
  ] as const;
  for (const { account, set } of limits) {
    await set(AMPLE);
    await checkServed(world, account, 'alpha');
    await set(0);
    if (account === 'monthly') await takeGrants(world);
    await checkRefused(world, account, 'alpha');
  }
  await checkPlans(world);
}

/** Checks that purchased credit can be spent, and taken back to its last part and no further. */
async function checkPurchase(world: World): Promise<void> {
  await move(world, 'purchased', 20 * SMALL);
  await checkServed(world, 'purchased', 'alpha');
  const takes = Array.from({ length: TAKEN_AT_ONCE }, () =>
    move(world, 'purchased', -SMALL, { isTwice: true }),
  );
  await Promise.all(takes);
  const left = await creditOf(world, 'purchased');
  if (!(await take(world, left))) world.simulation.fail('the last purchased credit cannot be taken back');
  if (await take(world, 1)) world.simulation.fail('credit was taken back that the account did not have');
  await checkRefused(world, 'purchased', 'alpha');
}

async function move(
  world: World,
  account: AccountName,
  near: number,
  { isTwice = false } = {},
): Promise<void> {
  const { operators, simulation } = world;
  const microcredits = operators.amountNear(near);
  const kind = near > 0 ? 'purchase' : 'adjustment';
  const { confirmedAt } = await operators.move(
    { account, kind, balance: 'purchased', microcredits },
    { isTwice },
  );
  if (confirmedAt === undefined) simulation.fail(`a movement of ${microcredits} for ${account} was refused`);
}

/** Reports whether purchased credit was taken back. */
async function take({ operators }: World, amount: number): Promise<boolean> {
  const wanted = { account: 'purchased', kind: 'adjustment', balance: 'purchased' } as const;
  return (await operators.move({ ...wanted, microcredits: -amount })).confirmedAt !== undefined;
}

async function creditOf({ operators }: World, account: AccountName): Promise<number> {
  const path = `/admin/v1/accounts/${operators.accounts[account].id}`;
  const { received } = await operators.insist({ method: 'GET', path });
  return Math.round(JSON.parse(received).purchased_credits * 1_000_000);
}

/** Takes back the credits that were granted beyond the plan. */
async function takeGrants({ operators }: World): Promise<void> {
  const path = `/admin/v1/accounts/${operators.accounts.monthly.id}`;
  const { received } = await operators.insist({ method: 'GET', path });
  const granted = Math.round(JSON.parse(received).credits.limit * 1_000_000);
  const wanted = { account: 'monthly', kind: 'adjustment', balance: 'monthly' } as const;
  if (granted > 0) await operators.move({ ...wanted, microcredits: -granted });
}
