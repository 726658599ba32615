import { labelValues } from '../../../money/budgets/spend-labels.ts';
import type { HoldOrder } from '../../../money/ledger/hold.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import type { CheckedVersions } from '../../../money/limits/gate.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import { READS_PER_REQUEST } from '../../../settings/plans/plan.ts';
import { arrayText } from '../connection/array-text.ts';
import { Indexed } from './indexed.ts';

/** The amounts that an operation gives back when its request ends. */
export type GateReturn = {
  /** The time at which the request was counted, by the database's clock. */
  takenAt: number;
  /** Ends the count against the concurrency limit. */
  place: boolean;
  /** The actual number of tokens. The estimate stays if it is undefined. */
  tokens: number | undefined;
  /** The request does not count at all. */
  everything: boolean;
};

/** An operation of the gate. `void` and `release` give back what an admission took. */
export type GateOp = {
  kind: 'admit' | 'ask' | 'read' | 'release' | 'void';
  /** The credit that is held, asked for or given back. It is undefined if there is none. */
  credit: HoldOrder | undefined;
  limits: LimitedRequest | undefined;
  versions?: CheckedVersions | undefined;
  returns?: GateReturn | undefined;
};

/** A call as text, with the names that its lists stand for. */
export type GateCallText = { text: string; scopes: Indexed; buckets: Indexed; months: Indexed };

/** The lists that a call names its rows in. */
type Lists = { scopes: Indexed; heads: Indexed; buckets: Indexed; months: Indexed; days: Indexed };

export const accountScope = (id: string): string => `a:${id}`;
export const keyScope = (id: string): string => `k:${id}`;
export const networkScope = (network: string): string => `n:${network}`;

export const balanceName = ({ accountId, pays, period }: HoldOrder): string =>
  `${accountId} ${pays === 'purchased' ? PURCHASED : period.id}`;
export const keyMonthName = ({ keyId, at }: HoldOrder): string => `${keyId} ${monthOf(at)}`;

/**
 * Formats operations as one call.
 * All calls name scopes and chain heads in the same order, so that they lock them in this order.
 */
export function formatCall(ops: readonly GateOp[]): GateCallText {
  const named = ops.map(namesOf);
  const lists: Lists = {
    scopes: new Indexed(named.flatMap(({ scopes }) => scopes).sort()),
    heads: new Indexed(named.flatMap(({ heads }) => heads).sort()),
    buckets: new Indexed(named.flatMap(({ buckets }) => buckets)),
    months: new Indexed(named.flatMap(({ months }) => months)),
    days: new Indexed(named.flatMap(({ days }) => days)),
  };
  const { scopes, heads, buckets, months, days } = lists;
  const accountOfMonth = new Map(
    ops.map(({ credit }) => [credit && keyMonthName(credit), credit?.accountId]),
  );
  const text = JSON.stringify({
    s: arrayText(scopes.names),
    h: arrayText(heads.names),
    ba: arrayText(buckets.names.map(firstWord)),
    bp: arrayText(buckets.names.map(lastWord)),
    mk: months.names.map(firstWord),
    mm: months.names.map(lastWord),
    ma: months.names.map((name) => accountOfMonth.get(name)),
    da: days.names,
    o: ops.map((op) => recordOf(op, lists)),
  });
  return { text, scopes, buckets, months };
}

/** The words of a balance's name and of a month's name: an id, then the period or the month. */
const firstWord = (name: string): string => name.slice(0, name.indexOf(' '));
const lastWord = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** Lists the account whose chain an admission that can reserve an amount, or a void, locks at its end. */
function lockedHeads({ kind, credit }: GateOp): string[] {
  if (!credit || (kind !== 'admit' && kind !== 'void')) return [];
  const canHold =
    credit.pays === 'purchased' || credit.keyCapMicrocredits !== null || credit.isBudgeted === true;
  return canHold ? [credit.accountId] : [];
}

/**
 * Lists the rows that an operation reads or changes.
 * They include both balances of the account, since the headers of every answer show both.
 */
function namesOf(op: GateOp) {
  const { credit, limits } = op;
  return {
    scopes: limits ? scopesOf(limits) : [],
    heads: lockedHeads(op),
    buckets: credit ? [credit.period.id, PURCHASED].map((period) => `${credit.accountId} ${period}`) : [],
    months: credit && credit.keyCapMicrocredits !== null ? [keyMonthName(credit)] : [],
    days: credit && credit.tokensPerDay !== null ? [credit.accountId] : [],
  };
}

/** Lists the scopes in which a request counts. */
export function scopesOf({ accountId, key, network }: LimitedRequest): string[] {
  const scopes = [accountScope(accountId)];
  if (key) scopes.push(keyScope(key.id));
  if (network !== undefined) scopes.push(networkScope(network));
  return scopes;
}

/** Returns an operation as `gate()` reads it. `gate.sql` describes the members. */
function recordOf(op: GateOp, lists: Lists) {
  const { kind, credit, limits, versions } = op;
  const keyId = credit?.keyId ?? limits?.key?.id;
  return {
    k: kind,
    ...(limits && limitFields(op, limits, lists)),
    ...(credit && creditFields(credit, lists)),
    ...(versions && { av: versions.account }),
    ...(versions && keyId !== undefined && { kv: versions.key }),
    ai: credit?.accountId ?? limits?.accountId,
    ki: keyId,
  };
}

function limitFields(op: GateOp, limits: LimitedRequest, { scopes }: Lists) {
  const { accountId, key, network, figures, requests, tokens } = limits;
  const places = {
    a: scopes.of(accountScope(accountId)),
    ...(key && { y: scopes.of(keyScope(key.id)) }),
    ...(network !== undefined && { n: scopes.of(networkScope(network)) }),
  };
  if (op.kind === 'read')
    return { ...places, rq: requests, f1: figures.requestsPerMinute * READS_PER_REQUEST };
  const f5 = figures.requestsPer5Minutes;
  if (op.returns) {
    const { takenAt, place, tokens: actual, everything } = op.returns;
    return { ...places, rq: everything ? requests : 0, tk: tokens, ta: actual, t0: takenAt, cc: place, f5 };
  }
  return {
    ...places,
    rq: requests,
    tk: tokens,
    cc: limits.isConcurrent,
    f1: figures.requestsPerMinute,
    f5,
    fc: figures.concurrent,
    ft: figures.tokensPerMinute,
    fn: figures.networkRequestsPerMinute,
    ...(key && {
      k1: key.limits.requestsPerMin || null,
      kt: key.limits.tokensPerMin || null,
      kc: key.limits.concurrent,
    }),
  };
}

function creditFields(order: HoldOrder, { buckets, months, days }: Lists) {
  const { requestId, accountId, pays, period, keyCapMicrocredits: cap, worst, tokensPerDay, at } = order;
  const { isBudgeted, labels } = order;
  return {
    id: requestId,
    b: buckets.of(balanceName(order)),
    p: buckets.of(`${accountId} ${period.id}`),
    ...(cap !== null && { m: months.of(keyMonthName(order)), cap }),
    ...(tokensPerDay !== null && { d: days.of(accountId), tpd: tokensPerDay, dn: dayOf(at) }),
    pu: pays === 'purchased',
    lim: period.limitMicrocredits,
    ...(worst && { lw: worst.least, mw: worst.most }),
    ...(isBudgeted && { bg: true, ...(labels && { lb: labelValues(labels) }) }),
    at,
  };
}
