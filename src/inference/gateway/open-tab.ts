import { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { GateAnswer, GateObjection, GateOrder } from '../../money/limits/gate.ts';
import type { LimitCount, LimitedRequest } from '../../money/limits/limiter.ts';
import { type Limits, limitedRequest, versionsOf } from '../../money/limits/limits.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import {
  allowanceOf,
  type CreditOrder,
  creditOrder,
  modeRates,
  type OutputAllowance,
} from '../admission/hold-credit.ts';
import { outputCeilingOf } from '../admission/output-ceiling.ts';
import { refuseShortage } from '../admission/refuse-shortage.ts';
import { detailPrices } from '../settlement/detail-prices.ts';
import type { Tab } from '../settlement/tab.ts';
import type { Tabs } from '../settlement/tabs.ts';
import { type Belief, believeUsage, type ImplausibleUsage } from './believe-usage.ts';
import { countedRequests } from './counted-requests.ts';
import { limitHostedTools } from './limit-hosted-tools.ts';
import { limitOutput } from './limit-output.ts';
import type { QualifiedRequest } from './qualified-request.ts';
import { stopHostedTools } from './stop-hosted-tools.ts';

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

/**
 * Checks that the credit covers the request and that the account is within its limits, before any upstream is called. Throws a
 * `StaleCaller` if the account or the key has changed since the caller was authenticated.
 */
export function openTab(till: Till, asked: QualifiedRequest): MaybeLater<OpenedTab | Refusal> {
  const problem = till.tabs.problem();
  if (problem) throw problem;
  const qualified = stopHostedTools(asked);
  if (qualified instanceof Refusal) return qualified;
  return after(creditOrder(qualified, till.clock.now()), (ordered) => passGate(till, qualified, ordered));
}

function passGate(
  till: Till,
  qualified: QualifiedRequest,
  ordered: CreditOrder,
): MaybeLater<OpenedTab | Refusal> {
  const order: GateOrder = {
    credit: ordered.order,
    limits: limitsOf(qualified),
    versions: versionsOf(qualified.principal),
  };
  return after<GateAnswer, OpenedTab | Refusal>(till.limits.gate.admit(order), (answer) =>
    answer.kind === 'admitted'
      ? openAdmitted(till, qualified, { ...ordered, hold: answer.hold, count: answer.count })
      : refusalOf(answer, qualified, ordered),
  );
}

function limitsOf({
  isUnattended,
  exchange,
  principal,
  request,
  estimateInput,
}: QualifiedRequest): LimitedRequest | undefined {
  if (isUnattended) return undefined;
  const taken = { requests: countedRequests(request), tokens: estimateInput(), isConcurrent: true };
  return limitedRequest(exchange, principal, taken);
}

function refusalOf(
  objection: GateObjection,
  { exchange, principal }: QualifiedRequest,
  { order, worst }: CreditOrder,
): Refusal {
  if (objection.kind === 'stale') throw new StaleCaller();
  if (objection.kind === 'limited') return objection.refusal;
  return refuseShortage({ exchange, principal, order, shortage: objection.shortage, worst });
}

type AdmittedTab = CreditOrder & { hold: Hold; count: LimitCount };

function openAdmitted(
  till: Till,
  qualified: QualifiedRequest,
  admitted: AdmittedTab,
): MaybeLater<OpenedTab | Refusal> {
  const { ledger, tabs, clock, tellImplausible: tell } = till;
  const { exchange, permit, trail, dialect, estimateInput } = qualified;
  const { hold, count, rates, rating, worst } = admitted;
  const { entry } = permit;
  const allowance = worst ? allowanceOf(worst, hold) : undefined;
  const ceiling = allowance?.isOpen ? allowance.output : undefined;
  const limited = allowance?.hosted.length
    ? limitHostedTools(qualified.request, allowance, dialect)
    : qualified.request;
  const request = limited instanceof Refusal ? limited : limitOutput(limited, ceiling, { dialect, entry });
  if (request instanceof Refusal) {
    count.withdraw();
    return after(ledger.void(hold), () => request);
  }
  const belief = believeUsage({ exchange, trail, dialect, request, entry, report: tell });
  const tab = tabs.open({
    exchange,
    trail,
    hold,
    limitCount: count,
    rates,
    model: entry.model.id,
    estimateInput,
    outputCeiling: (request.metered ? null : allowance?.output) ?? outputCeilingOf(qualified, entry.model),
    clock,
    believed: belief.settled,
    isSimulated: isSimulated(entry),
    detailPrices: detailPrices({ exchange, entry, trail, request, rating }),
    ratesOf: (served) => modeRates(exchange.snapshot.catalog.find(served) ?? entry, rating),
  });
  return { tab, request, allowance, belief };
}
