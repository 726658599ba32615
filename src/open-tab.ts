import type { Permit } from './admission/admit.ts';
import { countedAs } from './admission/counted-as.ts';
import { holdCredit, modeRates } from './admission/hold-credit.ts';
import { tellUsedPercent } from './admission/tell-used-percent.ts';
import type { Principal } from './auth/principal.ts';
import { Refusal } from './errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { LedgerStore } from './ledger/ledger-store.ts';
import type { Clock } from './lib/clock.ts';
import { limitOutput } from './limit-output.ts';
import type { Dialect, InferenceRequest } from './protocols/dialect.ts';
import type { Tab } from './settlement/tab.ts';
import type { Tabs } from './settlement/tabs.ts';
import { estimateBody } from './tokens/estimate-body.ts';
import { tokenFamily } from './tokens/token-family.ts';

export type Till = { ledger: LedgerStore; tabs: Tabs; clock: Clock };

export type Buying = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  dialect: Dialect;
  request: InferenceRequest;
};

export type OpenedTab = {
  tab: Tab;
  request: InferenceRequest;
  /** The request in another form, with an answer no longer than is paid for. */
  limited(asked: InferenceRequest | Refusal): InferenceRequest | Refusal;
};

/** Sees that the request is paid for before it goes anywhere, with an answer as long as that. */
export async function openTab(
  { ledger, tabs, clock }: Till,
  { exchange, principal, permit, dialect, request }: Buying,
): Promise<OpenedTab | Refusal> {
  const { entry, mode } = permit;
  const { ceilings = [] } = dialect;
  const held = holdCredit({
    ...{ exchange, principal, permit, ledger, now: clock.now() },
    request: { ...request, ceilings },
  });
  const covered = held instanceof Promise ? await held : held;
  if (covered instanceof Refusal) return covered;
  const { hold, rates, outputCeiling } = covered;
  const { catalog } = exchange.snapshot;
  const tab = tabs.open({
    ...{ exchange, hold, rates, model: entry.model.id },
    ratesOf: (served) => modeRates((catalog.find(served) ?? entry).model, mode),
    settled: () => tellUsedPercent(ledger, exchange, principal),
    estimateInput: () => estimateBody(request.body, tokenFamily(countedAs(entry))).likely,
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
