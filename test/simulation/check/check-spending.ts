import { type Asked, isAnswered, requestIdOf } from '../clients/asked.ts';
import { type AccountName, type AccountSpec, accountNames, accountSpecs } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import { highestLimit, steadyLimits } from '../operators/limit-change.ts';
import type { Movement } from '../operators/movement.ts';
import type { Limited } from '../operators/operators.ts';
import type { World } from '../world.ts';
import type { Charge } from './ledger-reader.ts';

/** The usage of a client that has left arrives within this time, or is estimated. */
export const MAX_GRACE_MS = 30_000;

/** The lengths of windows in the text of a time. */
const windows = { budget: 'yyyy-mm-dd'.length, cap: 'yyyy-mm'.length };

/** A charge, and the times between which its request was admitted. */
type Admitted = { one: Asked; charge: Charge; from: number; until: number };

/**
 * Checks that credits, caps and budgets are never exceeded, and that a change holds for requests after its
 * answer.
 */
export function checkSpending(world: World, charges: readonly Charge[]): void {
  const byRequest = new Map(charges.map((charge) => [charge.requestId, charge]));
  for (const account of accountNames) {
    const id = world.template.accounts[account].id;
    const own = charges.filter(({ accountId }) => accountId === id);
    const admitted = world.clients.asked
      .filter((one) => one.account === account)
      .flatMap((one) => admittedOf(world, one, byRequest.get(requestIdOf(one) ?? '')));
    for (const limited of ['cap', 'budget'] as const)
      checkBound(world, { account, limited }, { own, admitted });
    checkHour(world, account, admitted);
    checkMonthly(world, account, admitted);
    checkPurchased(world, account, admitted);
  }
}

/** Returns the span in which a request was admitted: between its start and its first call to a vendor. */
function admittedOf({ watch }: World, one: Asked, charge: Charge | undefined): Admitted[] {
  if (!charge) return [];
  const from = one.record.startedAt;
  const until = watch.callsOf(one.marker)[0]?.at ?? one.record.endedAt ?? Number.POSITIVE_INFINITY;
  return [{ one, charge, from, until: Math.max(from, until) }];
}

const sumOf = (charges: readonly Charge[]): number =>
  charges.reduce((sum, { microcredits }) => sum + microcredits, 0);

type Bounded = { account: AccountName; limited: keyof typeof windows & Limited };
type Spent = { own: readonly Charge[]; admitted: readonly Admitted[] };

/**
 * Checks that charges in a window never exceed its highest limit. While a limit stays as it is, the requests
 * that are admitted do not exceed it, together with all that were admitted before.
 */
function checkBound({ operators, simulation }: World, { account, limited }: Bounded, spent: Spent): void {
  const changes = operators.limits.get(`${limited} ${account}`);
  if (!changes) return;
  const { own, admitted } = spent;
  const windowOf = ({ at }: Charge): string => new Date(at).toISOString().slice(0, windows[limited]);
  const refuse = (sum: number, bound: number, when: string) => {
    if (sum <= bound) return;
    simulation.fail(`${account} was charged ${sum} micro-credits of ${bound} ${when} (${limited})`);
  };
  const highest = highestLimit(changes, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (const [time, inside] of Map.groupBy(own, windowOf)) refuse(sumOf(inside), highest, `in ${time}`);
  for (const { microcredits, from, until } of steadyLimits(changes)) {
    const during = admitted.filter(
      (one) => one.from > from && one.until < until && one.charge.microcredits > 0,
    );
    for (const [time, inside] of Map.groupBy(during, ({ charge }) => windowOf(charge))) {
      const before = admitted.filter((one) => one.until < from && windowOf(one.charge) === time);
      const sum = sumOf([...before, ...inside].map(({ charge }) => charge));
      refuse(sum, microcredits, `from ${Math.round(from)} ms on in ${time}`);
    }
  }
}

const HOUR_MS = 3_600_000;

/** Checks that the requests admitted within an hour never exceed the budget that counts the last hour. */
function checkHour({ simulation }: World, account: AccountName, admitted: readonly Admitted[]): void {
  const { hourUsd }: AccountSpec = accountSpecs[account];
  if (hourUsd === undefined) return;
  const bound = hourUsd * MICROCREDITS_PER_USD;
  for (const last of admitted) {
    const within = admitted.filter(({ from, until }) => from > last.until - HOUR_MS && until <= last.until);
    const sum = sumOf(within.map(({ charge }) => charge));
    if (sum > bound)
      simulation.fail(`${account} was charged ${sum} micro-credits of ${bound} within an hour (budget)`);
  }
}

/** Returns the time by which a request is charged. The usage of a client that has left arrives later. */
const settledBy = ({ record: { endedAt = Number.POSITIVE_INFINITY, ending } }: Asked): number =>
  endedAt + (ending === 'left' ? MAX_GRACE_MS : 0);

/**
 * Reports whether the node of a request has used its spool. The database does not know a settlement in the
 * spool of a node that died, so other nodes give its credit to others until the node starts again.
 */
const mayBeSpooled = ({ database, nodes }: World, { record }: Asked): boolean =>
  database !== undefined &&
  nodes.some(
    ({ name, log }) =>
      record.host?.name.startsWith(`${name}/`) && log.some((text) => text.includes('"event":"spooling"')),
  );

/** Returns the charges that were written before a request began. */
const chargedBefore = (world: World, admitted: readonly Admitted[], { one }: Admitted): number =>
  sumOf(
    admitted
      .filter((other) => isAnswered(other.one) && settledBy(other.one) < one.record.startedAt)
      .filter((other) => !mayBeSpooled(world, other.one))
      .map(({ charge }) => charge),
  );

/** Returns the most that movements had given to a request. A taken amount counts once it was confirmed. */
const mostGiven = (movements: readonly Movement[], { from, until }: Admitted): number =>
  movements
    .filter(({ microcredits, sentAt, confirmedAt = Number.POSITIVE_INFINITY }) =>
      microcredits > 0 ? sentAt <= until : confirmedAt <= from,
    )
    .reduce((sum, { microcredits }) => sum + microcredits, 0);

/** Checks that after the end of the monthly credits only requests under way are answered. */
function checkMonthly(world: World, account: AccountName, all: readonly Admitted[]): void {
  const { operators, simulation } = world;
  const changes = operators.limits.get(`credits ${account}`);
  if (!changes) return;
  // An amount is of this cycle if all charges are of this one, and a charge is older than the movement.
  const isOneCycle = new Set(all.map(({ charge }) => charge.period)).size === 1;
  const isOfCycle = ({ sentAt }: Movement): boolean =>
    isOneCycle && all.some(({ one: { record } }) => (record.endedAt ?? sentAt) < sentAt);
  const movements = operators.movements.filter(
    (one) => one.account === account && one.balance === 'monthly' && (one.microcredits > 0 || isOfCycle(one)),
  );
  for (const admitted of all) {
    const { one, charge } = admitted;
    const limit = highestLimit(changes, admitted.from, admitted.until);
    const used = chargedBefore(
      world,
      all.filter((other) => other.charge.period === charge.period),
      admitted,
    );
    const given = mostGiven(movements, admitted);
    if (used >= limit + given)
      simulation.fail(`${one.marker} was answered after ${used} micro-credits of the month were used`);
  }
}

/** Returns the credit with which an account is made. */
function firstCredit(account: AccountName): number {
  const { purchaseUsd = 0 }: AccountSpec = accountSpecs[account];
  return purchaseUsd * MICROCREDITS_PER_USD;
}

/** Checks that without purchased credit only requests under way are answered. */
function checkPurchased(world: World, account: AccountName, all: readonly Admitted[]): void {
  const { operators, simulation } = world;
  const movements = operators.movements.filter(
    (one) => one.account === account && one.balance === 'purchased',
  );
  const purchased = all.filter(({ charge }) => charge.period === 'purchased');
  for (const admitted of purchased) {
    const used = chargedBefore(world, purchased, admitted);
    const left = firstCredit(account) + mostGiven(movements, admitted) - used;
    if (left <= 0)
      simulation.fail(`${admitted.one.marker} of ${account} was answered with ${left} micro-credits left`);
  }
}
