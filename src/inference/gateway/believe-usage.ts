import type { Exchange } from '../../edge/http/exchange.ts';
import { type BillingBounds, billedWithin } from '../../translation/canonical/bound-usage.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { offersHostedTools } from './offers-hosted-tools.ts';
import { type Served, usageBounds } from './usage-bounds.ts';

/** A vendor that runs tools itself reads the prompt again after each of them, and counts each time. */
const MOST_HOSTED_TURNS = 32;

/** A report that cannot be, for operators: which upstream told what, and what is billed in its place. */
export type ImplausibleUsage = {
  requestId: string;
  provider: string;
  model: string;
  told: Tokens;
  billed: Tokens;
};

type Tokens = { input: number; output: number };

const tokensOf = (usage: Usage): Tokens => ({ input: inputTotal(usage), output: outputTotal(usage) });

export type BelievingParts = Pick<Served, 'dialect' | 'request' | 'entry'> & {
  exchange: Exchange;
  trail: Pick<Trail, 'model' | 'provider'>;
  tell(report: ImplausibleUsage): void;
};

/** What of an upstream's count is taken for true: as much as the model that answered can have used. */
export type Belief = {
  bounds(): BillingBounds;
  /** As it is billed, to be shown. */
  billed(told: Usage): Usage;
  /** As it is billed. An implausible report is told to the operator, once a request. */
  settled(told: Usage): Usage;
};

export function believeUsage({ exchange, trail, dialect, request, entry, tell }: BelievingParts): Belief {
  let known: Known | undefined;
  const bounds = (): Known => {
    const { snapshot } = exchange;
    const { model, provider } = trail;
    if (known?.model === model && known.provider === provider) return known;
    const served = model === entry.model.id ? entry : (snapshot.catalog.find(model) ?? entry);
    const question = { dialect, request, entry, served, provider: snapshot.providers.get(provider) };
    const usual = usageBounds(question);
    known = {
      model,
      provider,
      usual,
      get most() {
        return offersHostedTools(request.body.value) ? usageBounds(question, MOST_HOSTED_TURNS) : usual;
      },
    };
    return known;
  };
  const billed = (told: Usage): Usage => billedWithin(told, bounds());
  let isTold = false;
  const settled = (told: Usage): Usage => {
    const usage = billed(told);
    if (usage === told || !usage.isImplausible || isTold) return usage;
    isTold = true;
    const { provider, model } = bounds();
    tell({ requestId: exchange.requestId, provider, model, told: tokensOf(told), billed: tokensOf(usage) });
    return usage;
  };
  return { bounds, billed, settled };
}

/** The bounds of an answer by this model, from this provider. */
type Known = BillingBounds & { model: string; provider: string };
