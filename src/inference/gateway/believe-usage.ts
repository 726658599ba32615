import type { Exchange } from '../../edge/http/exchange.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { boundUsage, type UsageBounds } from '../settlement/bound-usage.ts';
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
  /** As it is billed, to be shown. */
  billed(told: Usage): Usage;
  /** As it is billed. A report that cannot be is told to the operator, once a request. */
  settled(told: Usage): Usage;
};

export function believeUsage({ exchange, trail, dialect, request, entry, tell }: BelievingParts): Belief {
  let known: Bounds | undefined;
  const boundsNow = (): Bounds => {
    const { snapshot } = exchange;
    const { model, provider } = trail;
    if (known?.model === model && known.provider === provider) return known;
    const served = model === entry.model.id ? entry : (snapshot.catalog.find(model) ?? entry);
    const question = { dialect, request, entry, served, provider: snapshot.providers.get(provider) };
    const widened = () => usageBounds(question, MOST_HOSTED_TURNS);
    known = { model, provider, bounds: usageBounds(question), widened };
    return known;
  };
  const billed = (told: Usage): Usage => {
    const { bounds, widened } = boundsNow();
    if (boundUsage(told, bounds) === told) return told;
    const most = offersHostedTools(request.body.value) ? widened() : bounds;
    const bounded = boundUsage(told, most);
    return bounded === told || !isReported(told, most) ? bounded : { ...bounded, isImplausible: true };
  };
  let isTold = false;
  const settled = (told: Usage): Usage => {
    const usage = billed(told);
    if (usage === told || !usage.isImplausible || isTold) return usage;
    isTold = true;
    const { requestId } = exchange;
    const { provider, model } = boundsNow();
    tell({ requestId, provider, model, told: tokensOf(told), billed: tokensOf(usage) });
    return usage;
  };
  return { billed, settled };
}

/** Of an answer by this model, from this provider. */
type Bounds = {
  model: string;
  provider: string;
  bounds: UsageBounds;
  /** For a vendor that runs tools. */
  widened(): UsageBounds;
};

/** An output that we estimate may come out longer than its ceiling. An input that we estimate was admitted by that estimate. */
const isReported = (told: Usage, { input }: UsageBounds): boolean =>
  !told.isEstimated || inputTotal(told) > input;
