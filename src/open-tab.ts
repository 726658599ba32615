import type { Permit } from './admission/admit.ts';
import { holdCredit, modeRates } from './admission/hold-credit.ts';
import { tellUsedPercent } from './admission/tell-used-percent.ts';
import type { Principal } from './auth/principal.ts';
import { Refusal } from './errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { LedgerStore } from './ledger/ledger-store.ts';
import type { Clock } from './lib/clock.ts';
import { limitOutput } from './limit-output.ts';
import type { Lease } from './limits/limiter.ts';
import type { Limits } from './limits/limits.ts';
import type { Dialect, InferenceRequest } from './protocols/dialect.ts';
import type { Tab } from './settlement/tab.ts';
import type { Tabs } from './settlement/tabs.ts';

const NO_LEASE: Lease = { correct() {}, release() {} };

export type Till = { ledger: LedgerStore; limits: Limits; tabs: Tabs; clock: Clock };

export type Buying = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  dialect: Dialect;
  request: InferenceRequest;
  estimateInput: () => number;
  /** Limits are for requests that somebody waits for. */
  isUnattended: boolean;
  isNative: boolean;
};

export type OpenedTab = {
  tab: Tab;
  request: InferenceRequest;
  /** The request in another form, with an answer no longer than is paid for. */
  limited(asked: InferenceRequest | Refusal): InferenceRequest | Refusal;
};

/** Sees that the request is paid for, with an answer as long as that, and within the account's limits, before it goes anywhere. */
export async function openTab(
  { ledger, limits, tabs, clock }: Till,
  { exchange, principal, permit, dialect, request, estimateInput, isUnattended, isNative }: Buying,
): Promise<OpenedTab | Refusal> {
  const problem = tabs.problem();
  if (problem) throw problem;
  const { entry, mode } = permit;
  const { ceilings = [], unaskedOutput } = dialect;
  const held = holdCredit({
    ...{ exchange, principal, permit, ledger, now: clock.now(), isNative },
    request: { ...request, ceilings, unaskedOutput },
  });
  const covered = held instanceof Promise ? await held : held;
  if (covered instanceof Refusal) return covered;
  const { hold, rates, outputCeiling } = covered;
  const taken = { tokens: estimateInput(), holdsSlot: true };
  const lease = isUnattended ? NO_LEASE : limits.take(exchange, principal, taken);
  if (lease instanceof Refusal) {
    ledger.void(hold);
    return lease;
  }
  const { catalog } = exchange.snapshot;
  const tab = tabs.open({
    ...{ exchange, hold, lease, rates, model: entry.model.id, estimateInput },
    ratesOf: (served) => modeRates((catalog.find(served) ?? entry).model, { mode, isNative }),
    settled: () => tellUsedPercent(ledger, exchange, principal),
  });
  const limited = (asked: InferenceRequest | Refusal): InferenceRequest | Refusal =>
    outputCeiling === undefined || asked instanceof Refusal
      ? asked
      : limitOutput(asked, outputCeiling, { dialect, entry });
  const paid = limited(request);
  if (!(paid instanceof Refusal)) return { tab, request: paid, limited };
  tab.close();
  return paid;
}
