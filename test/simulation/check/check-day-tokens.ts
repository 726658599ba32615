import { type Asked, refusalOf, requestIdOf } from '../clients/asked.ts';
import { TOKENS_PER_DAY } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { lasted, MAX_LATE_MS } from './check-token-window.ts';
import type { Charge } from './ledger-reader.ts';

const DAY_MS = 86_400_000;
const ACCOUNT = 'daily';

const tokensOf = ({ input, output }: Charge): number => input + output;

/**
 * Checks that no request of a day is served after the tokens of the day are used up, and that none is refused
 * before. A request counts on the day of its admission.
 */
export function checkDayTokens(world: World, charges: readonly Charge[]): void {
  const { clients, simulation, template, watch } = world;
  const { id } = template.accounts[ACCOUNT];
  const own = charges.filter(({ accountId }) => accountId === id);
  const byRequest = new Map(own.map((charge) => [charge.requestId, charge]));
  const asked = clients.asked.filter(({ account }) => account === ACCOUNT);
  const chargeOf = (one: Asked) => byRequest.get(requestIdOf(one) ?? '');
  const dayAt = (at: number) => Math.floor((simulation.startsAt + at) / DAY_MS);
  const firstDay = ({ record }: Asked) => dayAt(record.startedAt);
  const lastDay = ({ record }: Asked) => dayAt(record.startedAt + MAX_LATE_MS);
  for (const one of asked) {
    const { startedAt, endedAt = simulation.now } = one.record;
    const before = asked.filter((other) => lasted(other.record) < startedAt);
    const used = sumOf(before.filter((other) => firstDay(other) === lastDay(one)).map(chargeOf));
    const isSure = firstDay(one) === lastDay(one) && !world.hasStoreTrouble;
    if (used >= TOKENS_PER_DAY && isSure && watch.callsOf(one.marker).length > 0)
      simulation.fail(`${one.marker} was served after ${used} tokens of the day of ${TOKENS_PER_DAY}`);
    if (refusalOf(one) !== 'token_allowance_exhausted') continue;
    const others = asked.filter(
      (other) => other.record.startedAt <= endedAt && lastDay(other) >= firstDay(one),
    );
    const unknown = own.filter(({ requestId }) => !asked.some((other) => requestIdOf(other) === requestId));
    const lost = others.filter((other) => !chargeOf(other)).map((other) => lostTokens(world, other));
    const most = sumOf([...others.map(chargeOf), ...unknown]) + lost.reduce((sum, tokens) => sum + tokens, 0);
    if (most < TOKENS_PER_DAY)
      simulation.fail(`${one.marker} was refused after ${most} tokens of the day of ${TOKENS_PER_DAY}`);
  }
}

/** Returns the tokens of a charge that counted while it was written, and was lost with its process. */
const lostTokens = ({ watch }: World, { marker, record: { host } }: Asked): number => {
  const usage = host && !host.isAlive ? watch.callsOf(marker).at(-1)?.usage : undefined;
  return usage ? usage.input + usage.output : 0;
};

const sumOf = (charges: readonly (Charge | undefined)[]): number =>
  charges.reduce((sum, charge) => sum + (charge ? tokensOf(charge) : 0), 0);
