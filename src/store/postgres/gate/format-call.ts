import { labelValues } from '../../../money/budgets/spend-labels.ts';
import type { HoldOrder } from '../../../money/ledger/hold.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import { READS_PER_REQUEST } from '../../../settings/plans/plan.ts';
import { arrayText } from '../connection/array-text.ts';
import {
  accountScope,
  balanceName,
  idInName,
  keyMonthName,
  keyScope,
  networkScope,
  payingBalance,
  periodInName,
  scopesOf,
} from './gate-names.ts';
import type { GateOp } from './gate-op.ts';
import { Indexed } from './indexed.ts';

/** A call as text, with the names that the lists of its answer stand for. */
export type GateCallText = { text: string; scopes: Indexed; balances: Indexed; months: Indexed };

/** The lists that name the rows of a call. Operations name a row by its index in its list. */
type Lists = { scopes: Indexed; heads: Indexed; balances: Indexed; months: Indexed; days: Indexed };

/**
 * Formats operations as one call.
 * All calls name scopes and chain heads in the same order, so that they lock them in this order.
 */
export function formatCall(ops: readonly GateOp[]): GateCallText {
  const named = ops.map(namesOf);
  const lists: Lists = {
    scopes: new Indexed(named.flatMap(({ scopes }) => scopes).sort()),
    heads: new Indexed(named.flatMap(({ heads }) => heads).sort()),
    balances: new Indexed(named.flatMap(({ balances }) => balances)),
    months: new Indexed(named.flatMap(({ months }) => months)),
    days: new Indexed(named.flatMap(({ days }) => days)),
  };
  const { scopes, heads, balances, months, days } = lists;
  const accountOfMonth = new Map<string, string>();
  for (const { credit } of ops) if (credit) accountOfMonth.set(keyMonthName(credit), credit.accountId);
  const text = JSON.stringify({
    s: arrayText(scopes.names),
    h: arrayText(heads.names),
    ba: arrayText(balances.names.map(idInName)),
    bp: arrayText(balances.names.map(periodInName)),
    mk: months.names.map(idInName),
    mm: months.names.map(periodInName),
    ma: months.names.map((name) => accountOfMonth.get(name)),
    da: days.names,
    o: ops.map((op) => recordOf(op, lists)),
  });
  return { text, scopes, balances, months };
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
    balances: credit ? balancesOf(credit) : [],
    months: credit && credit.keyCapMicrocredits !== null ? [keyMonthName(credit)] : [],
    days: credit && credit.tokensPerDay !== null ? [credit.accountId] : [],
  };
}

const balancesOf = ({ accountId, period }: HoldOrder): string[] => [
  balanceName({ accountId, period: period.id }),
  balanceName({ accountId, period: PURCHASED }),
];

/** Lists the account whose end of the chain is locked, by voids and by admissions that can hold an amount. */
function lockedHeads({ kind, credit }: GateOp): string[] {
  if (!credit || (kind !== 'admit' && kind !== 'void')) return [];
  const canHold =
    credit.pays === 'purchased' || credit.keyCapMicrocredits !== null || credit.isBudgeted === true;
  return canHold ? [credit.accountId] : [];
}

/**
 * Returns an operation as the function `gate` reads it. The members have short names, since a call has up to
 * 64 operations. `functions/gate.sql` describes each of them.
 */
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

/**
 * Returns the members about limits. `a`, `y` and `n` are the scopes of the account, the key and the network.
 * `rq`, `tk` and `ta` are requests, estimated and actual tokens. `f…` and `k…` are limits of plan and key.
 */
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
    const { takenAt, endsConcurrency, tokens: actual, isUncounted } = op.returns;
    const rq = isUncounted ? requests : 0;
    return { ...places, rq, tk: tokens, ta: actual, t0: takenAt, cc: endsConcurrency, f5 };
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
    // A limit of zero is no limit, as in `keyFault`.
    ...(key && {
      k1: key.limits.requestsPerMin || null,
      kt: key.limits.tokensPerMin || null,
      kc: key.limits.concurrent,
    }),
  };
}

/**
 * Returns the members about credit. `b`, `p`, `m` and `d` are the paying balance, the balance of the cycle,
 * the key's month and the account's day. The others are bounds and facts of the request.
 */
function creditFields(order: HoldOrder, { balances, months, days }: Lists) {
  const { requestId, accountId, pays, period, keyCapMicrocredits: cap, worst, tokensPerDay, at } = order;
  const { isBudgeted, labels } = order;
  return {
    id: requestId,
    b: balances.of(payingBalance(order)),
    p: balances.of(balanceName({ accountId, period: period.id })),
    ...(cap !== null && { m: months.of(keyMonthName(order)), cap }),
    ...(tokensPerDay !== null && { d: days.of(accountId), tpd: tokensPerDay, dn: dayOf(at) }),
    pu: pays === 'purchased',
    lim: period.limitMicrocredits,
    ...(worst && { lw: worst.least, mw: worst.most }),
    ...(isBudgeted && { bg: true, ...(labels && { lb: labelValues(labels) }) }),
    at,
  };
}
