import { type AccountSpec, accountNames, accountSpecs } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import type { Movement, MovementOrder } from '../operators/movement.ts';
import type { World } from '../world.ts';
import type { Amount } from './ledger-reader.ts';

/** The ids of entries that have the difference between a charge and its estimate begin with this. */
const LATE_PREFIX = 'ent_late_';

const isMoved = ({ id, kind }: Amount): boolean =>
  !['usage', 'renewal'].includes(kind) && !id.startsWith(LATE_PREFIX);

/** Reports whether the entries of all payments are written. They follow the answer to Stripe's message. */
export async function haveMovementsEnded(world: World): Promise<boolean> {
  const owed = world.operators.movements.filter(({ isOwed }) => isOwed);
  if (owed.length === 0) return true;
  const amounts = new Set(await world.reader.amounts());
  return owed.every((movement) => entriesOf(world, movement, amounts).length > 0);
}

/** Checks that the ledger has each movement of money once, or not at all if it was refused, and no others. */
export async function checkMovements(world: World): Promise<void> {
  const { operators, simulation, template } = world;
  const amounts = await world.reader.amounts();
  const unknown = new Set(amounts.filter(isMoved));
  for (const account of accountNames) {
    const { purchaseUsd }: AccountSpec = accountSpecs[account];
    if (purchaseUsd === undefined) continue;
    const microcredits = purchaseUsd * MICROCREDITS_PER_USD;
    const made = { account, kind: 'purchase', balance: 'purchased', microcredits } as const;
    const [own] = entriesOf(world, made, unknown);
    if (own) unknown.delete(own);
    else simulation.fail(`the first purchase of ${account} is lost`);
  }
  for (const movement of operators.movements) {
    const own = entriesOf(world, movement, unknown);
    for (const entry of own) unknown.delete(entry);
    const fault = faultOf(movement, own.length);
    if (fault)
      simulation.fail(`the ${movement.kind} of ${movement.microcredits} for ${movement.account} ${fault}`);
  }
  for (const { id, kind, microcredits } of unknown)
    simulation.fail(`nobody has asked for the ${kind} of ${microcredits} (${id})`);
  for (const account of accountNames) {
    const own = amounts.filter(({ accountId }) => accountId === template.accounts[account].id);
    checkDebt(world, account, own);
  }
}

const entriesOf = (
  { template }: World,
  { account, kind, balance, microcredits }: MovementOrder,
  amounts: ReadonlySet<Amount>,
): Amount[] =>
  [...amounts].filter(
    (one) =>
      one.accountId === template.accounts[account].id &&
      one.kind === kind &&
      (one.period === 'purchased') === (balance === 'purchased') &&
      one.microcredits === microcredits,
  );

function faultOf({ confirmedAt, isOwed, isRefused }: Movement, entries: number): string | undefined {
  if (entries > 1) return `was made ${entries} times`;
  if ((confirmedAt !== undefined || isOwed) && entries === 0) return 'was confirmed and is lost';
  if (confirmedAt === undefined && isRefused && entries > 0) return 'was refused and is made';
  return undefined;
}

/** Checks that purchased credit is never below zero, unless a payment was taken back. */
function checkDebt({ simulation, operators }: World, account: string, own: readonly Amount[]): void {
  const reversed = new Set(operators.movements.flatMap((one) => (one.mayOwe ? one.microcredits : [])));
  let left = 0;
  let mostOwed = 0;
  for (const { id, period, kind, isUsage, microcredits } of own) {
    if (period !== 'purchased') continue;
    if (kind === 'adjustment' && reversed.has(microcredits)) mostOwed -= microcredits;
    left += isUsage ? -microcredits : microcredits;
    if (left < -mostOwed) simulation.fail(`the purchased credit of ${account} is ${left} after ${id}`);
  }
}
