import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { type EstimatedBody, estimateBody } from '../../translation/tokens/estimate-body.ts';
import type { CountedPrompt } from '../../translation/tokens/token-counter.ts';
import type { CountedModel } from '../../translation/tokens/token-family.ts';
import { askedOutput } from './asked-output.ts';
import { longerThanWindow } from './prompt-too-long.ts';

export type Fitting = {
  entry: CatalogEntry;
  style: EnvelopeStyle;
  body: EstimatedBody;
  /** The members that set the output ceiling; the first that is present counts. */
  ceilings: readonly string[];
  /** Counts the prompt exactly, for prompts near the window's edge. Undefined if the prompt cannot be counted. */
  count: (model: CountedModel) => Promise<CountedPrompt | undefined>;
};

/** The most tokens that an answer may have. Undefined if the model sets no bound. */
export type OutputRoom = number | undefined;

/** A token covers at least one byte of UTF-8, and a UTF-16 unit has at most three bytes. */
const MOST_TOKENS_PER_UNIT = 3;
/** The factor by which an estimate is rarely too low. */
const ESTIMATE_SLACK = 1.25;
/** The part of the window by which an answer may be cut without need. */
const NEGLIGIBLE_PART = 0.02;
/** The part of the likely room that an answer gets at least. */
const LEAST_PART_OF_ROOM = 0.5;
/** Allowance for framing tokens that vendors add without documenting them. */
const FRAMING_TOKENS = 32;

/**
 * Checks that the prompt fits the model's window, and returns the room left for the answer. Nearly every request is so short that its
 * length alone proves that it fits. Other prompts are estimated, and those near the window's edge are counted. The upstream decides the
 * cases that stay uncertain.
 */
export function fitRequest(fitting: Fitting): OutputRoom | Refusal | Promise<OutputRoom | Refusal> {
  const { entry, body } = fitting;
  const { model } = entry;
  const most = model.maxOutput ?? model.contextWindow;
  const surelyLeft = model.contextWindow - body.text.length * MOST_TOKENS_PER_UNIT;
  const asked = askedOutput(body.value, fitting.ceilings);
  if (surelyLeft >= Math.min(asked ?? most, most)) return model.maxOutput ?? undefined;
  // The client set no ceiling, so the room that is certainly left is enough, unless it is small.
  if (asked === undefined && surelyLeft >= model.contextWindow / 2) return surelyLeft;
  const { likely, least } = estimateBody(body, entry.family);
  if (least > model.contextWindow) return longerThanWindow(model, { style: fitting.style, tokens: likely });
  const high = Math.ceil(likely * ESTIMATE_SLACK) + FRAMING_TOKENS;
  const left = model.contextWindow - high;
  const isNear = high - likely <= model.contextWindow * NEGLIGIBLE_PART;
  if (left >= Math.min(asked ?? 1, most) || (left > 0 && isNear)) return Math.min(most, left);
  return fitExactly(fitting);
}

async function fitExactly(fitting: Fitting): Promise<OutputRoom | Refusal> {
  const { entry, style, count } = fitting;
  const { model, counted, family } = entry;
  const prompt = await count(counted);
  if (prompt === undefined) return roomBeside(model, measured(fitting));
  if (prompt.sure * (1 - family.error) > model.contextWindow)
    return longerThanWindow(model, { style, tokens: prompt.sure });
  const likely = prompt.sure + prompt.unsure + FRAMING_TOKENS;
  return roomBeside(model, { likely, most: likely + Math.ceil(prompt.sure * family.error) });
}

/** The estimate stands in for a prompt that cannot be counted. */
function measured({ body, entry }: Fitting): PromptTokens {
  const likely = estimateBody(body, entry.family).likely + FRAMING_TOKENS;
  return { likely, most: Math.ceil(likely * ESTIMATE_SLACK) };
}

type PromptTokens = { likely: number; most: number };

/**
 * Cuts the answer by the likely count of the prompt. An upstream refuses a prompt and a ceiling that exceed the window together, so a part
 * of the likely room is left for an error of the count: as much as the error can be, but never more than half. If no room seems to be left,
 * the count may be too high, and the upstream decides.
 */
function roomBeside({ contextWindow, maxOutput }: Model, { likely, most }: PromptTokens): OutputRoom {
  const left = Math.max(contextWindow - most, Math.ceil((contextWindow - likely) * LEAST_PART_OF_ROOM));
  return left > 0 ? Math.min(maxOutput ?? left, left) : (maxOutput ?? undefined);
}
