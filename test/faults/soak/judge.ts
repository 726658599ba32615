import type { CallRecord } from './call-record.ts';
import { Charges } from './charges.ts';
import { costOf } from './cost.ts';
import { drawRequest, type SoakRequest } from './draw-request.ts';
import { type Expected, expectedCharge, type Question } from './expected-charge.ts';
import { KnownShares } from './known-shares.ts';
import type { SentRequest } from './sent-request.ts';
import type { SoakEntry } from './soak-entry.ts';

/** The ways in which a charge can be wrong. */
export const discrepancyKinds = [
  'unbilled',
  'twice',
  'wrong',
  'too-cheap',
  'overcharged',
  'billed-for-nothing',
  'charged-short',
  'wrongly-estimated',
  'not-marked-estimated',
  'shown-otherwise',
  'broken-off',
  'nobodys',
  'of-another-key',
] as const;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

/** A request whose charge is wrong. */
export type Discrepancy = {
  kind: DiscrepancyKind;
  number: number | undefined;
  requestId: string | undefined;
  reason: string;
  /** The facts about the request, as JSON. */
  facts: string;
};

/** The records of the clients, the upstream and the ledger. */
export type Evidence = {
  seed: number;
  sent: readonly SentRequest[];
  calls: readonly CallRecord[];
  entries: readonly SoakEntry[];
  kills: readonly number[];
  graceMs: number;
  /** The slowest answer of the gateway to a ping. */
  slowestPingMs: number;
};

/** A killed server loses work of about this age, and on a busy machine that of some slow pings. */
const MIN_SLACK_MS = 300;
const PINGS_OF_SLACK = 3;

/** Compares each request with its charge. */
export function judge(evidence: Evidence): Discrepancy[] {
  const { seed, sent, calls, entries, kills } = evidence;
  const callsOf = Map.groupBy(calls, ({ number }) => number);
  const found: Discrepancy[] = [];
  const charges = new Charges({ seed, entries, sent, callsOf });
  const shares = new KnownShares(seed, sent, kills);
  for (const one of sent) {
    const request = drawRequest(seed, one.number);
    const [entry, ...others] = charges.of(one);
    const facts = { request, sent: one, calls: callsOf.get(one.number) ?? [] };
    const question = questionOf(facts, entry, { evidence, shares });
    const requestId = entry?.requestId ?? one.requestId;
    const findings = compare(question, entry);
    if (others.length > 0) findings.push({ kind: 'twice', reason: `${others.length + 1} entries` });
    for (const finding of findings)
      found.push({ ...finding, number: one.number, requestId, facts: factsOf(question, entry) });
  }
  for (const entry of charges.left()) {
    const { requestId } = entry;
    const facts = JSON.stringify(entry);
    found.push({
      kind: 'nobodys',
      number: undefined,
      requestId,
      reason: 'of no request that was sent',
      facts,
    });
  }
  return found;
}

type Facts = { request: SoakRequest; sent: SentRequest; calls: readonly CallRecord[] };

function questionOf(
  { request, sent, calls }: Facts,
  entry: SoakEntry | undefined,
  { evidence: { kills, graceMs, slowestPingMs }, shares }: { evidence: Evidence; shares: KnownShares },
): Question {
  const served = entry?.served ?? calls.at(-1)?.model ?? request.model;
  const own = calls.filter(({ model }) => model === served);
  const slackMs = Math.max(MIN_SLACK_MS, PINGS_OF_SLACK * slowestPingMs);
  const lastAt = Math.max(sent.endedAt, ...own.map(({ endedAt }) => endedAt));
  // A recovered hold was still open at the kill, even if its answer had ended long before.
  const until = entry?.outcome === 'recovered' ? Number.POSITIVE_INFINITY : lastAt + slackMs;
  const killedAt = kills.find((at) => sent.sentAt < at + slackMs && at < until);
  const isShareKnown = shares.isKnown(sent, served);
  return { request, sent, calls: own, served, killedAt, graceMs, slackMs, isShareKnown };
}

type Finding = Pick<Discrepancy, 'kind' | 'reason'>;

function compare(question: Question, entry: SoakEntry | undefined): Finding[] {
  const { sent, killedAt } = question;
  const expected = expectedCharge(question);
  const { why: reason } = expected;
  const kind = compareCharge(expected, entry, question);
  const isComplete = sent.ending === 'complete';
  const findings: Finding[] = kind ? [{ kind, reason }] : [];
  if (sent.ending === 'cut' && killedAt === undefined)
    findings.push({ kind: 'broken-off', reason: 'the connection broke without a kill' });
  if (!entry) return findings;
  if (entry.keyId !== sent.keyId) findings.push({ kind: 'of-another-key', reason });
  if (expected.isExact && expected.most > 0 && entry.isEstimated)
    findings.push({ kind: 'wrongly-estimated', reason });
  if (isComplete && !expected.isExact && !entry.isEstimated)
    findings.push({ kind: 'not-marked-estimated', reason });
  if (isComplete && sent.usage && !isSame(sent.usage, entry))
    findings.push({ kind: 'shown-otherwise', reason });
  return findings;
}

const isSame = (one: { input: number; cached: number; output: number }, other: typeof one): boolean =>
  one.input === other.input && one.cached === other.cached && one.output === other.output;

function compareCharge(
  { least, most, isExact }: Expected,
  entry: SoakEntry | undefined,
  { request, served }: Question,
): DiscrepancyKind | undefined {
  if (!entry) return least > 0 ? 'unbilled' : undefined;
  const { microcredits, shortfall } = entry;
  if (microcredits > most) {
    if (most === 0) return 'billed-for-nothing';
    return isExact ? 'wrong' : 'overcharged';
  }
  if (microcredits + shortfall >= least) return undefined;
  const { input, cached: cacheRead, output } = entry;
  if (microcredits + shortfall < costOf({ input, cacheRead, output }, request, served))
    return 'charged-short';
  return isExact ? 'wrong' : 'too-cheap';
}

function factsOf(question: Question, entry: SoakEntry | undefined): string {
  const { request, sent, calls, served, killedAt } = question;
  const { least, most } = expectedCharge(question);
  const { dialect, model, isStream, answers, prompts, leave, ceiling } = request;
  const facts = {
    expected: least === most ? least : [least, most],
    dialect,
    model,
    served,
    isStream,
    answers,
    prompts: prompts.length,
    payer: sent.payer,
    leave,
    ceiling,
    ending: sent.ending,
    error: sent.error,
    finished: sent.finished,
    received: sent.received,
    shown: sent.usage,
    lastedMs: sent.endedAt - sent.sentAt,
    ...(killedAt !== undefined && { killedAfterMs: killedAt - sent.sentAt }),
    entry: entry && {
      microcredits: entry.microcredits,
      input: entry.input,
      cached: entry.cached,
      output: entry.output,
      outcome: entry.outcome,
      isEstimated: entry.isEstimated,
    },
    calls: calls.map(({ prompt, wire, ending, fault, usage, hidden, produced, endedAt }) => ({
      prompt,
      wire,
      ending,
      fault,
      ...usage,
      hidden,
      produced: produced.at(-1)?.[1] ?? 0,
      endedAfterMs: endedAt - sent.sentAt,
    })),
  };
  return JSON.stringify(facts);
}
