import type { Exchange } from '../../edge/http/exchange.ts';
import { type BillingBounds, billedWithin } from '../../translation/canonical/bound-usage.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { boundsOfServers } from '../admission/answer-bounds.ts';
import { consultedModels, fallbackModels } from '../admission/consulted-models.ts';
import { hostedTurns } from './hosted-turns.ts';
import { type Served, usageBounds } from './usage-bounds.ts';

/** An implausible usage report, for operators: the upstream, what it reported, and what is billed instead. */
export type ImplausibleUsage = {
  requestId: string;
  provider: string;
  model: string;
  reported: Tokens;
  billed: Tokens;
};

type Tokens = { input: number; output: number };

const tokensOf = (usage: Usage): Tokens => ({ input: inputTotal(usage), output: outputTotal(usage) });

export type BelievingParts = Pick<Served, 'request' | 'entry'> & {
  dialect: Served['dialect'] & Pick<Dialect, 'inspect'>;
  exchange: Exchange;
  trail: Pick<Trail, 'model' | 'provider'>;
  report(report: ImplausibleUsage): void;
};

/** The accepted part of an upstream's usage report, bounded by what the model that answered can have used. */
export type Belief = {
  bounds(): BillingBounds;
  /** Returns the usage as it is billed, for display. */
  billed(told: Usage): Usage;
  /** Returns the usage as it is billed. An implausible report is logged for the operator once per request. */
  settled(told: Usage): Usage;
};

export function believeUsage({
  exchange,
  trail,
  dialect,
  request,
  entry,
  report: tell,
}: BelievingParts): Belief {
  let known: Known | undefined;
  const bounds = (): Known => {
    const { snapshot } = exchange;
    const { model, provider } = trail;
    if (known?.model === model && known.provider === provider) return known;
    const served = model === entry.model.id ? entry : (snapshot.catalog.find(model) ?? entry);
    const { image_tokens: imageTokens } = snapshot.config.limits;
    const host = snapshot.providers.get(provider);
    const question = { dialect, request, entry, served, imageTokens, provider: host };
    const { value } = request.body;
    const usual = usageBounds(question);
    known = {
      model,
      provider,
      usual,
      get most() {
        const { catalog } = snapshot;
        return usageBounds(question, {
          turns: hostedTurns(value, dialect),
          consulted: consultedModels(value, catalog),
          fallbackCeiling: highestCeiling(value, catalog),
        });
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
    tell({
      requestId: exchange.requestId,
      provider,
      model,
      reported: tokensOf(told),
      billed: tokensOf(usage),
    });
    return usage;
  };
  return { bounds, billed, settled };
}

const highestCeiling = (...question: Parameters<typeof fallbackModels>): number =>
  fallbackModels(...question).reduce(
    (most, { entry, ceiling = 0 }) =>
      entry ? Math.max(most, Math.min(ceiling, boundsOfServers([entry]).own)) : most,
    0,
  );

/** The bounds of an answer by this model from this provider. */
type Known = BillingBounds & { model: string; provider: string };
