import {
  type Asked,
  isAnswered,
  replayedIdOf,
  requestIdOf,
  servedModelOf,
  shownUsageOf,
} from '../clients/asked.ts';
import { accountNames } from '../gateway/accounts.ts';
import { NATIVE_PRICES, PRICES, SUBSTITUTES } from '../gateway/configuration.ts';
import type { VendorCall } from '../vendors/vendor.ts';
import { hasStoreWorked, type World, wasStoreWell } from '../world.ts';
import { checkSpending, MAX_GRACE_MS } from './check-spending.ts';
import { checkTokens, hasReportedInTime } from './check-tokens.ts';
import { costOf } from './cost-of.ts';
import type { Charge } from './ledger-reader.ts';

/**
 * Compares the entries of the ledger with what clients and vendors have seen. Items of batches and responses
 * in the background have other checks.
 */
export async function checkCharges(world: World, otherIds: ReadonlySet<string>): Promise<void> {
  const charges = await world.reader.charges();
  const byRequest = Map.groupBy(charges, ({ requestId }) => requestId);
  for (const [requestId, entries] of byRequest)
    if (entries.length > 1) world.simulation.fail(`${requestId} was charged ${entries.length} times`);
  const { asked } = world.clients;
  const known = new Set(asked.map(requestIdOf));
  for (const one of asked) {
    checkRequest(world, one, byRequest.get(requestIdOf(one) ?? '')?.[0]);
    checkReplay(world, one, byRequest);
  }
  checkUnknown(
    world,
    charges.filter(({ requestId }) => !known.has(requestId) && !otherIds.has(requestId)),
  );
  checkRepeated(world, byRequest);
  checkSpending(world, charges);
  for (const charge of charges) if (!(charge.model in NATIVE_PRICES)) checkAmount(world, charge);
  world.counts['charges'] = charges.length;
  world.counts['recovered'] = charges.filter(({ outcome }) => outcome === 'recovered').length;
  world.counts['left'] = charges.filter(({ outcome }) => outcome === 'left').length;
}

/** Reports whether the client got the earlier answer of a request that was repeated. */
const isReplayed = (world: World, one: Asked): boolean =>
  one.idempotencyKey !== undefined &&
  world.clients.asked.some((other) => other !== one && other.idempotencyKey === one.idempotencyKey);

/** Checks that an earlier answer is given again only if it is charged. */
function checkReplay({ simulation }: World, one: Asked, byRequest: ReadonlyMap<string, Charge[]>): void {
  const replayedId = replayedIdOf(one);
  if (replayedId !== undefined && isAnswered(one) && !byRequest.has(replayedId))
    simulation.fail(`${one.marker} got the answer of ${replayedId}, which was not charged`);
}

function checkRequest(world: World, one: Asked, charge: Charge | undefined): void {
  const { simulation, template } = world;
  const name = `${one.marker} (${requestIdOf(one)}) of ${one.account}`;
  const replayedId = replayedIdOf(one);
  if (isAnswered(one) && !charge && replayedId === undefined)
    simulation.fail(`${name} was answered and not charged`);
  if (!charge && isOwed(world, one)) simulation.fail(`${name} got a part of its answer and was not charged`);
  if (!charge) return;
  checkShown(world, one, charge);
  if (one.idempotencyKey === undefined) checkTokens(world, one, charge);
  const { id, keyId } = template.accounts[one.account];
  if (charge.accountId !== id) simulation.fail(`${name} was charged to another account`);
  if (charge.keyId !== keyId) simulation.fail(`${name} was charged to another key`);
  const { status, handedWholeAt, ending } = one.record;
  // What the upstream has produced for a client that leaves is charged, even if the
  // rest of the answer never comes.
  if (ending === 'left' && !isAnswered(one)) return;
  const isSure = !hasLostSpool(world, one);
  if (status !== undefined && status !== 200 && isSure)
    simulation.fail(`${name} was refused with ${status} and charged`);
  const isBroken = handedWholeAt !== undefined && !isAnswered(one);
  if (isBroken && !isNearCrash(world, one, charge) && isSure)
    simulation.fail(`${name} ended with an error and was charged`);
  if (
    isAnswered(one) &&
    charge.isEstimated &&
    !charge.isAdjusted &&
    world.watch.callsOf(one.marker).every(({ usage }) => usage)
  )
    simulation.fail(`${name} was estimated although the vendor reported its usage`);
}

/** Checks that a whole answer shows the tokens that are charged. */
function checkShown({ simulation }: World, one: Asked, { input, cached, output, isAdjusted }: Charge): void {
  if (!isAnswered(one) || replayedIdOf(one) !== undefined || isAdjusted) return;
  const shown = shownUsageOf(one.record.handed);
  if (!shown) simulation.fail(`${one.marker} shows no usage`);
  else if (shown.input !== input || shown.cached !== cached || shown.output !== output)
    simulation.fail(
      `${one.marker} shows ${Object.values(shown)} tokens and was charged ${[input, cached, output]}`,
    );
}

/** The database may have written a settlement that it did not confirm, and that the spool could not keep. */
const hasLostSpool = ({ database, nodes }: World, { record }: Asked): boolean =>
  database !== undefined &&
  nodes.some(
    ({ name, log }) =>
      record.host?.name.startsWith(`${name}/`) && log.some((line) => line.includes('"event":"spool-failed"')),
  );

/** The store records the output of open requests within this time. */
const MAX_UNRECORDED_MS = 2_000;

/** Reports whether a client owes what it has got, even if the rest never came. */
function isOwed(world: World, one: Asked): boolean {
  const { watch } = world;
  const { marker, isStream, idempotencyKey, record } = one;
  const { status, handedAt, startedAt, ending, endedAt = 0, host } = record;
  const diedAt = host?.diedAt ?? 0;
  const settledAt = endedAt + MAX_GRACE_MS;
  if (idempotencyKey !== undefined) return false;
  const hasLeft = ending === 'left' && diedAt > settledAt && wasStoreWell(world, host, startedAt, settledAt);
  if (hasLeft && hasReportedInTime(one, watch.callsOf(marker).at(-1))) return true;
  if (!isStream || status !== 200 || handedAt === undefined) return false;
  if (!record.handed.includes(marker)) return false;
  const sentAt = watch
    .callsOf(marker)
    .filter(isGood)
    .flatMap((call) => call.sentAt.slice(0, 1));
  if (sentAt.length === 0) return false;
  // The head of a stream can be sent before the vendor answers.
  const shownAt = Math.max(handedAt, Math.min(...sentAt));
  const isCut = diedAt > shownAt + MAX_UNRECORDED_MS && diedAt < endedAt + MAX_LATENCY_MS && ending === 'cut';
  const isFailed = hasGivenUp(watch.callsOf(marker).at(-1), diedAt);
  return hasLeft || (isCut && !isFailed && wasStoreWell(world, host, shownAt, diedAt));
}

/** Reports whether the gateway left a call before its end and before it died. The failed answer is free. */
function hasGivenUp(call: VendorCall | undefined, diedAt: number): boolean {
  const { endedAt = Number.POSITIVE_INFINITY, closedAt = diedAt } = call ?? {};
  return closedAt < diedAt && closedAt < endedAt;
}

const MAX_LATENCY_MS = 1_000;
const isGood = ({ behaviour }: VendorCall): boolean => behaviour === 'good' || behaviour === 'reset behind';

/**
 * Reports whether a crash came before the end of a failed request's hold was written. A store that works
 * writes it before the client learns of the failure.
 */
function isNearCrash(world: World, { record }: Asked, { outcome }: Charge): boolean {
  const { host, startedAt, handedWholeAt = 0, endedAt = 0 } = record;
  return (
    outcome === 'recovered' &&
    !wasStoreWell(world, host, startedAt, handedWholeAt) &&
    !hasStoreWorked(world, host, endedAt, host?.diedAt ?? 0)
  );
}

/** Checks that a request and its repetitions are charged once. */
function checkRepeated(
  { clients, simulation, hasStoreTrouble }: World,
  byRequest: ReadonlyMap<string, Charge[]>,
): void {
  const repeated = clients.asked.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  for (const [key, group] of Map.groupBy(repeated, ({ idempotencyKey }) => idempotencyKey!)) {
    const ids = new Set(group.map(requestIdOf));
    const charges = [...ids].flatMap((id) => byRequest.get(id ?? '') ?? []);
    const answered = group.filter(isAnswered);
    const names = group.map(({ marker }) => marker).join();
    if (charges.length > 1 && !hasStoreTrouble)
      simulation.fail(`${names} was repeated (${key}) and charged ${charges.length} times`);
    // Its client asks again, and does not get the answer that the crash has cut.
    // Without the store nothing is kept for it.
    if (charges.some(({ outcome }) => outcome === 'recovered') && !hasStoreTrouble)
      simulation.fail(`${names} can be repeated (${key}), was ended by a crash, and charged`);
    // The entry of an attempt that got no head is among the unknown ones.
    if (answered.length > 0 && charges.length === 0 && !ids.has(undefined))
      simulation.fail(`${names} was repeated (${key}), answered, and not charged`);
  }
}

/** Checks that entries of unknown requests belong to requests that a crash has cut before their head. */
function checkUnknown(world: World, unknown: readonly Charge[]): void {
  for (const account of accountNames) {
    const { id } = world.template.accounts[account];
    const charges = unknown.filter(({ accountId }) => accountId === id);
    const headless = world.clients.asked.filter(
      (one) => one.account === account && (requestIdOf(one) === undefined || isReplayed(world, one)),
    );
    const jobs = world.clients.jobs.filter(
      (job) => job.account === account && job.id === undefined && !job.isRefused,
    );
    if (charges.length > headless.length + jobs.length)
      world.simulation.fail(
        `${account} has ${charges.length} charges of unknown requests: ${charges.map(({ requestId }) => requestId).join(', ')}`,
      );
  }
}

/**
 * Checks that the amount follows from the tokens and the price of the model that has answered, or of the
 * cheaper one.
 */
function checkAmount({ simulation, clients }: World, charge: Charge): void {
  const { requestId, model, microcredits } = charge;
  const own = costAt(model, charge);
  if (own === undefined) {
    simulation.fail(`${requestId} was charged for the unknown model ${model}`);
    return;
  }
  const asked = clients.asked.find((one) => requestIdOf(one) === requestId);
  // The head of a stream can be sent before its model is known.
  const served = asked && !asked.isStream ? servedModelOf(asked) : undefined;
  const possible = served === undefined && model === 'delta' ? [model, ...SUBSTITUTES] : [served ?? model];
  const costs = possible.map((name) => Math.min(own, costAt(name, charge) ?? own));
  if (!costs.includes(microcredits))
    simulation.fail(`${requestId} cost ${costs.join(' or ')} and was charged ${microcredits}`);
}

function costAt(model: string, charge: Charge): number | undefined {
  const price = PRICES[model as keyof typeof PRICES];
  return price && costOf(price, charge);
}
