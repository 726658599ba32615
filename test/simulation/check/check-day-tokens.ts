import { type Asked, refusalOf, requestIdOf } from '../clients/asked.ts';
import { TOKENS_PER_DAY } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { lasted, MAX_LATE_MS } from './check-token-window.ts';
import type { Charge } from './ledger-reader.ts';

const DAY_MS = 86_400_000;
const ACCOUNT = 'daily';
/**
 * The difference between the clock of a gateway and that of the simulation. A process that serves alone cuts
 * off parts of a millisecond. A node learns the time of the database from statements, which can be slow.
 */
const MAX_CLOCK_ERROR_MS = { sqlite: 1, postgres: 3_000 };

/** The tokens of a charge, the day on which they count, and the time within which they are counted. */
type Counted = { requestId: string; tokens: number; day: number; from: number; until: number };

const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/**
 * Checks that no request of a day is served after the tokens of the day are used up, and that none is refused
 * before. A request counts on the day of its admission, by the clock of its gateway.
 */
export function checkDayTokens(world: World, charges: readonly Charge[]): void {
  const { clients, template, simulation } = world;
  const { id } = template.accounts[ACCOUNT];
  const asked = clients.asked.filter(({ account }) => account === ACCOUNT);
  const byRequest = new Map(asked.map((one) => [requestIdOf(one), one]));
  const counted = charges
    .filter(({ accountId }) => accountId === id)
    .map(({ requestId, at, input, output, postedAt }): Counted => {
      const record = byRequest.get(requestId)?.record;
      const from = record?.startedAt ?? 0;
      const ended = record ? lasted(record) : Number.POSITIVE_INFINITY;
      const until = postedAt === undefined ? ended : postedAt - simulation.startsAt + MAX_LATE_MS;
      const span = { from, until };
      return { requestId, tokens: input + output, day: dayOf(at), ...span };
    });
  for (const one of asked) {
    checkServed(world, one, counted);
    if (refusalOf(one) === 'token_allowance_exhausted') checkRefused(world, one, counted);
  }
}

/** Returns the first and the last day on which a gateway can have counted a request until this time. */
function daysOf({ simulation, database }: World, { record }: Asked, until: number): [number, number] {
  const error = MAX_CLOCK_ERROR_MS[database ? 'postgres' : 'sqlite'];
  const { startsAt } = simulation;
  return [dayOf(startsAt + record.startedAt - error), dayOf(startsAt + until + error)];
}

function checkServed(world: World, one: Asked, counted: readonly Counted[]): void {
  const { simulation, watch, hasStoreTrouble, database } = world;
  const at = watch.callsOf(one.marker)[0]?.at;
  if (at === undefined) return;
  const [first, last] = daysOf(world, one, at);
  const ownDay = counted.find(({ requestId }) => requestId === requestIdOf(one))?.day;
  if (ownDay !== undefined && (ownDay < first || ownDay > last))
    simulation.fail(`${one.marker} was charged on a day on which it was not admitted`);
  const day = ownDay ?? first;
  // The gateway keeps the count of one day: a later one may have begun with another request.
  const isKept = !counted.some((other) => other.day > day && other.from <= at);
  // A database has the time of each entry. A file that fails at times may have got an entry later.
  if ((hasStoreTrouble && !database) || !isKept || (ownDay === undefined && first !== last)) return;
  const used = sumOf(counted.filter((other) => other.day === day && other.until < one.record.startedAt));
  if (used >= TOKENS_PER_DAY)
    simulation.fail(`${one.marker} was served after ${used} tokens of the day of ${TOKENS_PER_DAY}`);
}

/** A refusal names the end of its day. If a later day has begun, the tokens of that one have counted. */
function checkRefused(world: World, one: Asked, counted: readonly Counted[]): void {
  const { simulation, clients } = world;
  const { answeredAt = simulation.now, handed } = one.record;
  const [first, last] = daysOf(world, one, answeredAt);
  const end = / new ones from (\S+) on\./.exec(handed)?.[1];
  const day = end === undefined ? first : dayOf(Date.parse(end)) - 1;
  if (!(day >= first && day <= last)) simulation.fail(`${one.marker} was refused until ${end}`);
  const before = counted.filter((other) => other.day >= day && other.from <= answeredAt);
  const lost = clients.asked.reduce((sum, other) => sum + lostTokens(world, other, { day, counted }), 0);
  const byDay = [...Map.groupBy(before, (other) => other.day).values()];
  const most = Math.max(0, ...byDay.map(sumOf)) + lost;
  if (most < TOKENS_PER_DAY)
    simulation.fail(`${one.marker} was refused after ${most} tokens of the day of ${TOKENS_PER_DAY}`);
}

type Lost = { day: number; counted: readonly Counted[] };

/** Returns the tokens of a charge that counted while it was written, and was lost with its process. */
function lostTokens(world: World, one: Asked, { day, counted }: Lost): number {
  const { host } = one.record;
  // Nodes count in the transaction that writes the charge.
  if (one.account !== ACCOUNT || !host || host.isAlive || world.database) return 0;
  if (counted.some(({ requestId }) => requestId === requestIdOf(one))) return 0;
  const [, last] = daysOf(world, one, one.record.startedAt + MAX_LATE_MS);
  const usage = last >= day ? world.watch.callsOf(one.marker).at(-1)?.usage : undefined;
  return usage ? usage.input + usage.output : 0;
}

const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { tokens }) => sum + tokens, 0);
