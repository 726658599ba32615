import { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { LimitCount } from '../../money/limits/limiter.ts';
import type { Limits } from '../../money/limits/limits.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import { type Covered, holdCredit, modeRates, type OutputAllowance } from '../admission/hold-credit.ts';
import { outputCeilingOf } from '../admission/output-ceiling.ts';
import { tellUsedPercent } from '../admission/tell-used-percent.ts';
import type { Tab } from '../settlement/tab.ts';
import type { Tabs } from '../settlement/tabs.ts';
import { type Belief, believeUsage, type ImplausibleUsage } from './believe-usage.ts';
import { countedRequests } from './counted-requests.ts';
import { limitOutput } from './limit-output.ts';
import type { QualifiedRequest } from './qualified-request.ts';

/** Counts nothing, since no limits apply to an unattended request. */
export const UNLIMITED: LimitCount = { correct() {}, release() {}, withdraw() {} };

export type Till = {
  ledger: LedgerStore;
  limits: Limits;
  storage: StorageLimits;
  tabs: Tabs;
  clock: Clock;
  /** Alerts the operator to an implausible usage report of an upstream. */
  tellImplausible(usage: ImplausibleUsage): void;
};

export type OpenedTab = {
  tab: Tab;
  request: InferenceRequest;
  /** The longest answer that the hold covers, if an amount is held. */
  allowance: OutputAllowance | undefined;
  belief: Belief;
};

/** Checks that the credit covers the request and that the account is within its limits, before any upstream is called. */
export function openTab(till: Till, qualified: QualifiedRequest): MaybeLater<OpenedTab | Refusal> {
  const problem = till.tabs.problem();
  if (problem) throw problem;
  const covering = holdCredit(qualified, { ledger: till.ledger, now: till.clock.now() });
  return after(covering, (covered) => openCovered(till, qualified, covered));
}

function openCovered(
  till: Till,
  qualified: QualifiedRequest,
  covered: Covered | Refusal,
): OpenedTab | Refusal {
  if (covered instanceof Refusal) return covered;
  const { ledger, limits, tabs, clock, tellImplausible: tell } = till;
  const { exchange, principal, permit, trail, dialect, estimateInput, isUnattended, isNative } = qualified;
  const { hold, rates, allowance } = covered;
  const { entry, mode } = permit;
  const ceiling = allowance?.isOpen ? allowance.output : undefined;
  const request = limitOutput(qualified.request, ceiling, { dialect, entry });
  const refuse = (refusal: Refusal): Refusal => {
    ledger.void(hold);
    return refusal;
  };
  if (request instanceof Refusal) return refuse(request);
  const limitCount = isUnattended
    ? UNLIMITED
    : limits.take(exchange, principal, {
        requests: countedRequests(qualified.request),
        tokens: estimateInput(),
        isConcurrent: true,
      });
  if (limitCount instanceof Refusal) return refuse(limitCount);
  const belief = believeUsage({ exchange, trail, dialect, request, entry, tell });
  const tab = tabs.open({
    exchange,
    trail,
    hold,
    limitCount,
    rates,
    model: entry.model.id,
    estimateInput,
    outputCeiling: allowance?.output ?? outputCeilingOf(qualified, entry.model),
    clock,
    believed: belief.settled,
    isSimulated: isSimulated(entry),
    ratesOf: (served) => modeRates(exchange.snapshot.catalog.find(served) ?? entry, { mode, isNative }),
    settled: () => tellUsedPercent(ledger, exchange, principal),
  });
  return { tab, request, allowance, belief };
}
