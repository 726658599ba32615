import type { Exchange } from '../../edge/http/exchange.ts';
import type { Catalog } from '../../settings/catalog/catalog.ts';
import { type BillingBounds, billedWithin } from '../../translation/canonical/bound-usage.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { boundsOfServers } from '../cost/answer-bounds.ts';
import { consultedModels, fallbackModels } from '../cost/consulted-models.ts';
import { hostedTurns } from '../cost/hosted-turns.ts';
import { type ServedRequest, usageBounds } from '../cost/usage-bounds.ts';

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

/** The request whose usage an upstream reports. */
export type BelievedRequest = Pick<ServedRequest, 'request' | 'entry'> & {
  exchange: Exchange;
  trail: Pick<Trail, 'model' | 'provider'>;
  dialect: ServedRequest['dialect'] & Pick<Dialect, 'inspect'>;
  services: { reportImplausible(usage: ImplausibleUsage): void };
};

/** The accepted part of an upstream's usage report, bounded by what the model that answered can have used. */
export class Belief {
  readonly #believed: BelievedRequest;
  #bounds: KnownBilling | undefined;
  #isReported = false;

  constructor(believed: BelievedRequest) {
    this.#believed = believed;
  }

  bounds(): BillingBounds {
    return this.#boundsNow();
  }

  /** Returns the usage as it is billed, for display. */
  billed(reported: Usage): Usage {
    return billedWithin(reported, this.#boundsNow());
  }

  /** Returns the usage as it is billed. An implausible report is logged for the operator once per request. */
  settled(reported: Usage): Usage {
    const usage = this.billed(reported);
    if (usage === reported || !usage.isImplausible || this.#isReported) return usage;
    this.#isReported = true;
    const { exchange, services } = this.#believed;
    const { provider, model } = this.#boundsNow();
    services.reportImplausible({
      requestId: exchange.requestId,
      provider,
      model,
      reported: tokensOf(reported),
      billed: tokensOf(usage),
    });
    return usage;
  }

  #boundsNow(): KnownBilling {
    const { model, provider } = this.#believed.trail;
    if (this.#bounds?.model === model && this.#bounds.provider === provider) return this.#bounds;
    this.#bounds = boundsOf(this.#believed);
    return this.#bounds;
  }
}

/** The bounds of an answer by this model from this provider. */
type KnownBilling = BillingBounds & { model: string; provider: string };

function boundsOf({ exchange, trail, dialect, request, entry }: BelievedRequest): KnownBilling {
  const { model, provider } = trail;
  const { catalog, config, providers } = exchange.snapshot;
  const served = model === entry.model.id ? entry : (catalog.find(model) ?? entry);
  const { image_tokens: imageTokens } = config.limits;
  const question = { dialect, request, entry, served, imageTokens, provider: providers.get(provider) };
  const { value } = request.body;
  return {
    model,
    provider,
    usual: usageBounds(question),
    get most() {
      return usageBounds(question, {
        turns: hostedTurns(value, dialect),
        consulted: consultedModels(value, catalog),
        fallbackCeiling: highestCeiling(value, catalog),
      });
    },
  };
}

/** Returns the highest output ceiling of the models that answer if the requested one declines. */
const highestCeiling = (body: InferenceRequest['body']['value'], catalog: Catalog): number =>
  fallbackModels(body, catalog).reduce(
    (most, { entry, ceiling = 0 }) =>
      entry ? Math.max(most, Math.min(ceiling, boundsOfServers([entry]).own)) : most,
    0,
  );
