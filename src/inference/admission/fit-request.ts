import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { type EstimatedBody, estimateBody } from '../../translation/tokens/estimate-body.ts';
import type { CountedPrompt } from '../../translation/tokens/token-counter.ts';
import type { CountedModel } from '../../translation/tokens/token-family.ts';
import { askedOutput } from './asked-output.ts';
import { promptTooLong } from './prompt-too-long.ts';

export type Fitting = {
  entry: CatalogEntry;
  style: EnvelopeStyle;
  body: EstimatedBody;
  /** The members that name the most tokens of an answer; the first that is there counts. */
  ceilings: readonly string[];
  /** Exactly, for prompts that an estimate cannot tell from too long ones; undefined where it cannot be counted. */
  count: (model: CountedModel) => Promise<CountedPrompt | undefined>;
};

/** The most tokens that an answer may have; undefined: the model sets no bound. */
export type OutputRoom = number | undefined;

/** A token is a byte of UTF-8 at least, and a UTF-16 unit is three of them at most. */
const MOST_TOKENS_PER_UNIT = 3;
/** An estimate is seldom short by more than this. */
const ESTIMATE_SLACK = 1.25;
/** An answer may be cut by so much of the window more than need be. */
const NEGLIGIBLE_PART = 0.02;
/** Framing that vendors add and do not tell of. */
const FRAMING_TOKENS = 32;

/**
 * Whether the prompt fits the model's window, and how much of it is left to the answer. Nearly every request is so short that its length alone
 * says that all fits; only else is it estimated, and only near the window's edge counted. What may or may not fit is left to the upstream.
 */
export function fitRequest(fitting: Fitting): OutputRoom | Refusal | Promise<OutputRoom | Refusal> {
  const { entry, body } = fitting;
  const { model } = entry;
  const most = model.maxOutput ?? model.contextWindow;
  const surelyLeft = model.contextWindow - body.text.length * MOST_TOKENS_PER_UNIT;
  const asked = askedOutput(body.value, fitting.ceilings);
  if (surelyLeft >= Math.min(asked ?? most, most)) return model.maxOutput ?? undefined;
  // Nothing was asked for: what is surely left will do, unless that is little.
  if (asked === undefined && surelyLeft >= model.contextWindow / 2) return surelyLeft;
  const { likely, least } = estimateBody(body, entry.family);
  if (least > model.contextWindow) return promptTooLong(model, { style: fitting.style, tokens: likely });
  const high = Math.ceil(likely * ESTIMATE_SLACK) + FRAMING_TOKENS;
  const left = model.contextWindow - high;
  const isNear = high - likely <= model.contextWindow * NEGLIGIBLE_PART;
  if (left >= Math.min(asked ?? 1, most) || (left > 0 && isNear)) return Math.min(most, left);
  return fitExactly(fitting);
}

async function fitExactly({ entry, style, count }: Fitting): Promise<OutputRoom | Refusal> {
  const { model, counted, family } = entry;
  const prompt = await count(counted);
  if (prompt === undefined) return model.maxOutput ?? undefined;
  if (prompt.sure * (1 - family.error) > model.contextWindow)
    return promptTooLong(model, { style, tokens: prompt.sure });
  return roomBeside(model, Math.ceil(prompt.sure * (1 + family.error)) + prompt.unsure + FRAMING_TOKENS);
}

/** Where nothing seems to be left the count may be too high: the upstream knows. */
function roomBeside({ contextWindow, maxOutput }: Model, tokens: number): OutputRoom {
  const left = contextWindow - tokens;
  return left > 0 ? Math.min(maxOutput ?? left, left) : (maxOutput ?? undefined);
}
