import type { PlanId } from '../../../src/settings/plans/plan.ts';
import { MAX_CREDITS } from '../gateway/configuration.ts';
import { setPlan } from '../operators/set-limits.ts';
import type { World } from '../world.ts';
import { checkServed } from './check-served.ts';

type Cycle = { cycle_started_at: string; cycle_ends_at: string; credits: { used: number } };

/**
 * Checks that an upgrade gives the credits of the new plan at once, and that a downgrade waits for the
 * renewal. Both keep the cycle with its usage, so that no credits are given twice. `checkFigures` compares
 * the credits afterwards.
 */
export async function checkPlans(world: World): Promise<void> {
  await checkChange(world, 'max');
  await checkServed(world, 'monthly', 'alpha');
  await checkChange(world, 'pro');
  await checkServed(world, 'monthly', 'alpha');
}

async function checkChange(world: World, plan: PlanId): Promise<void> {
  const { operators, simulation } = world;
  const before = await cycleOf(world);
  await setPlan(operators, plan, MAX_CREDITS);
  const after = await cycleOf(world);
  if (simulation.wallTime() >= Date.parse(before.cycle_ends_at)) return;
  if (after.cycle_started_at !== before.cycle_started_at || after.credits.used < before.credits.used)
    simulation.fail(`the change to ${plan} made ${JSON.stringify(after)} of ${JSON.stringify(before)}`);
}

/** Returns the cycle of the account whose plan changes, and its credits. */
async function cycleOf({ operators }: World): Promise<Cycle> {
  const path = `/admin/v1/accounts/${operators.accounts.monthly.id}`;
  const { received } = await operators.insist({ method: 'GET', path });
  const { cycle_started_at, cycle_ends_at, credits }: Cycle = JSON.parse(received);
  return { cycle_started_at, cycle_ends_at, credits };
}
