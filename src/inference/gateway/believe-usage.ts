import type { Exchange } from '../../edge/http/exchange.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
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
  tell(report: ImplausibleUsage): void;
};

/** As much of what is told as the model that answered can have used. What cannot be is told to the operator, once a request. */
export function believeUsage({ exchange, dialect, request, entry, tell }: BelievingParts) {
  let isTold = false;
  return (told: Usage): Usage => {
    const { notes, snapshot, requestId } = exchange;
    const { servedModel: model = entry.model.id, provider = '' } = notes;
    const served = model === entry.model.id ? entry : (snapshot.catalog.find(model) ?? entry);
    const question = { dialect, request, entry, served, provider: snapshot.providers.get(provider) };
    const bounds = usageBounds(question);
    if (boundUsage(told, bounds) === told) return told;
    const widened = offersHostedTools(request.body.value) ? usageBounds(question, MOST_HOSTED_TURNS) : bounds;
    const billed = boundUsage(told, widened);
    if (billed === told || isTold || !isReported(told, widened)) return billed;
    isTold = true;
    tell({ requestId, provider, model, told: tokensOf(told), billed: tokensOf(billed) });
    return billed;
  };
}

/** An output that we estimate may come out longer than its ceiling. An input that we estimate was admitted by that estimate. */
const isReported = (told: Usage, { input }: UsageBounds): boolean =>
  !told.isEstimated || inputTotal(told) > input;
