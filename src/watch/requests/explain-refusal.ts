import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { lookUp } from '../../base/lib/records.ts';
import { creditsOf, usdOf } from '../../money/ledger/microcredits.ts';
import { adviceFor, type RefusalAdvice } from './refusal-advice.ts';
import type { RequestRecord } from './request-record.ts';

export type ExplainedRefusal = {
  code: string;
  /** The cause of the refusal, with its figures. */
  sentence: string;
  /** The remedy. */
  advice: RefusalAdvice | null;
  facts: RefusalFacts | null;
};

type Refused = Pick<RequestRecord, 'code' | 'message' | 'param' | 'facts' | 'ended_at'>;

/** Explains why a request was refused. Returns undefined if it was not refused. */
export function explainRefusal({
  code,
  message,
  param,
  facts,
  ended_at: at,
}: Refused): ExplainedRefusal | undefined {
  if (code === undefined) return undefined;
  const explain = facts && lookUp(sentences, facts.bound);
  const sentence = message ?? 'The request was refused.';
  const withField = param && !sentence.includes(param) ? `${sentence} The field is ${param}.` : sentence;
  return {
    code,
    sentence: facts && explain ? explain({ facts, at }) : withField,
    advice: adviceFor(code),
    facts: facts ?? null,
  };
}

type FactsAt = { facts: RefusalFacts; at: number };

const sentences: Readonly<Record<string, (facts: FactsAt) => string>> = {
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
  'purchased-too-little': ({ facts: { limit, used, asked }, at }) =>
    (used ?? 0) > (limit ?? 0)
      ? `The account has a debt from reversed payments. By ${time(at)} it had spent ${usd(used)}, and its remaining payments cover ${usd(limit)}.`
      : `The request could cost ${usd(asked)} at the least, and ${usd(left(limit, used))} of purchased credit was left at \
${time(at)}. Requests under way hold a part of it.`,
  'key-cap-reached': ({ facts: { limit, used, asked, resets_at }, at }) =>
    `${
      (used ?? 0) >= (limit ?? 0)
        ? `The key's cap of ${usd(limit)} was reached by ${usd(used)} at ${time(at)}`
        : `The key had spent ${usd(used)} of its cap of ${usd(limit)} at ${time(at)}, and the request could cost ${usd(asked)} \
at the least beside those under way`
    }; it resets on ${time(resets_at)}.`,
  'budget-reached': ({ facts: { limit, used, asked, resets_at }, at }) =>
    `A budget of ${usd(limit)} had ${usd(used)} spent at ${time(at)}${
      asked === undefined || left(limit, used) === 0
        ? ''
        : `, and the request could cost ${usd(asked)} at the least`
    }. ${resets_at == null ? 'Its limit has to be raised.' : `It has room again from ${time(resets_at)} on.`}`,
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

function windowed(holder: string, noun: string): (facts: FactsAt) => string {
  return ({ facts: { limit, used, asked, window_s = 60, wait_ms = 0 }, at }) => {
    const full = used === undefined ? 'It was full' : `${number(used)} of them were taken`;
    const added = asked === undefined ? '' : `, and the request asked for ${number(asked)} more`;
    const span = window_s === 60 ? 'a minute' : `${window_s / 60} minutes`;
    return `${holder} has ${number(limit)} ${noun} in ${span}. ${full} at ${time(at)}${added}. There was room again \
${seconds(wait_ms)} later, at ${time(at + wait_ms)}.`;
  };
}

function concurrent(holder: string): (facts: FactsAt) => string {
  return ({ facts: { limit, used }, at }) =>
    `${holder} may have ${number(limit)} requests under way at a time, and ${number(used ?? limit)} were at ${time(at)}. \
There is room as soon as one of them ends.`;
}

const left = (limit: number | null | undefined, used = 0): number => Math.max(0, (limit ?? 0) - used);

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

const seconds = (ms: number): string => {
  const rounded = Math.max(0.1, Math.round(ms / 100) / 10);
  return rounded === 1 ? '1 second' : `${rounded} seconds`;
};
