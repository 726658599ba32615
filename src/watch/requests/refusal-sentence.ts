import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { ShortageKind } from '../../money/ledger/hold.ts';
import { creditsOf, usdOf } from '../../money/ledger/microcredits.ts';
import type { LimitFaultKind } from '../../money/limits/limit-fault.ts';

/**
 * Returns the cause of a refusal with its figures, or undefined for a limit without a sentence of its own.
 */
export const refusalSentence = (facts: RefusalFacts, at: number): string | undefined =>
  lookUp(sentences, facts.bound)?.({ facts, at });

type FactsAt = { facts: RefusalFacts; at: number };

/** The sentences by the limit that refused the request. */
const sentences: Readonly<Record<LimitFaultKind | ShortageKind, (facts: FactsAt) => string>> = {
  'period-used-up': ({ facts: { limit, used, resets_at }, at }) =>
    `${credits(limit)} of the plan were used up by ${credits(used)} at ${time(at)}. ${
      resets_at == null ? 'They are given once.' : `They reset on ${time(resets_at)}.`
    }`,
  'day-used-up': ({ facts: { limit, resets_at }, at }) =>
    `The plan's ${number(limit)} tokens of the day were used up at ${time(at)}. New ones come at ${time(resets_at)}.`,
  'nothing-purchased': ({ facts: { limit, used } }) =>
    limit
      ? `Pay-as-you-go spends purchased credit, and all of its ${usd(limit)} was spent by ${usd(used)}.`
      : 'Pay-as-you-go spends purchased credit, and the account had bought none.',
  'purchased-too-little': purchasedTooLittle,
  'key-cap-reached': keyCapReached,
  'budget-reached': budgetReached,
  requests: windowed('The plan', 'requests'),
  'long-requests': windowed('The plan', 'requests'),
  network: windowed("The client's network", 'requests'),
  tokens: windowed('The plan', 'tokens'),
  reads: windowed('The plan', 'reads'),
  'key-requests': windowed('The key', 'requests'),
  'key-tokens': windowed('The key', 'tokens'),
  concurrent: concurrent('The plan'),
  'key-concurrent': concurrent('The key'),
};

function purchasedTooLittle({ facts: { limit, used, asked }, at }: FactsAt): string {
  if ((used ?? 0) > (limit ?? 0))
    return `The account has a debt from reversed payments. By ${time(at)} it had spent ${usd(used)}, and its \
remaining payments cover ${usd(limit)}.`;
  return `The request could cost ${usd(asked)} at the least, and ${usd(left(limit, used))} of purchased credit was \
left at ${time(at)}. Requests under way hold a part of it.`;
}

function keyCapReached({ facts: { limit, used, asked, resets_at }, at }: FactsAt): string {
  const reset = `it resets on ${time(resets_at)}.`;
  if ((used ?? 0) >= (limit ?? 0))
    return `The key's cap of ${usd(limit)} was reached by ${usd(used)} at ${time(at)}; ${reset}`;
  return `The key had spent ${usd(used)} of its cap of ${usd(limit)} at ${time(at)}, and the request could cost \
${usd(asked)} at the least beside those under way; ${reset}`;
}

function budgetReached({ facts: { limit, used, asked, resets_at }, at }: FactsAt): string {
  const isSpent = asked === undefined || left(limit, used) === 0;
  const cost = isSpent ? '' : `, and the request could cost ${usd(asked)} at the least`;
  const reset =
    resets_at == null ? 'Its limit has to be raised.' : `It has room again from ${time(resets_at)} on.`;
  return `A budget of ${usd(limit)} had ${usd(used)} spent at ${time(at)}${cost}. ${reset}`;
}

function windowed(holder: string, nouns: string): (facts: FactsAt) => string {
  return ({ facts: { limit, used, asked, window_s = 60, wait_ms = 0 }, at }) => {
    const full =
      used === undefined ? 'It was full' : `${number(used)} of them ${used === 1 ? 'was' : 'were'} taken`;
    const added = asked === undefined ? '' : `, and the request asked for ${number(asked)} more`;
    const span = window_s === 60 ? 'a minute' : `${window_s / 60} minutes`;
    return `${holder} has ${counted(limit, nouns)} in ${span}. ${full} at ${time(at)}${added}. There was room again \
${seconds(wait_ms)} later, at ${time(at + wait_ms)}.`;
  };
}

function concurrent(holder: string): (facts: FactsAt) => string {
  return ({ facts: { limit, used }, at }) =>
    `${holder} may have ${counted(limit, 'requests')} under way at a time, and ${number(used ?? limit)} \
${(used ?? limit) === 1 ? 'was' : 'were'} at ${time(at)}. \
There is room as soon as one of them ends.`;
}

const left = (limit: number | null | undefined, used = 0): number => Math.max(0, (limit ?? 0) - used);

/** Returns a number of things. `nouns` is their plural. */
const counted = (count: number | null | undefined, nouns: string): string =>
  `${number(count)} ${count === 1 ? nouns.slice(0, -1) : nouns}`;

const number = (value: number | null | undefined): string => (value ?? 0).toLocaleString('en-US');

const credits = (microcredits: number | null | undefined): string =>
  `${creditsOf(microcredits ?? 0).toLocaleString('en-US', { maximumFractionDigits: 2 })} credits`;

/** Small amounts keep two digits that count. */
function usd(microcredits: number | null | undefined): string {
  const amount = usdOf(microcredits ?? 0);
  const digits =
    amount !== 0 && Math.abs(amount) < 0.01 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2 };
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
    ...digits,
  });
}

const time = (at: number | null | undefined): string =>
  `${isoTime(at ?? 0)
    .slice(0, 19)
    .replace('T', ' ')} UTC`;

function seconds(ms: number): string {
  const rounded = Math.max(0.1, Math.round(ms / 100) / 10);
  return rounded === 1 ? '1 second' : `${rounded} seconds`;
}
