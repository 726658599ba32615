import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { askedOutput } from '../cost/asked-output.ts';
import { type CountedRequest, countPrompt } from '../cost/count-prompt.ts';
import { longerThanWindow } from './prompt-too-long.ts';

/** A request that is to fit the window of its model. */
export type WindowedRequest = CountedRequest & {
  exchange: { style: EnvelopeStyle };
  dialect: Pick<Dialect, 'ceilings'>;
  entry: CatalogEntry;
  readonly counter: TokenCounter;
};

/** The most tokens that an answer may have. It is undefined if the model sets no bound. */
type OutputSpace = number | undefined;

/** A token covers at least one byte of UTF-8, and a UTF-16 unit has at most three bytes. */
const MAX_TOKENS_PER_UNIT = 3;
/** The factor by which an estimate is rarely too low. */
const ESTIMATE_SLACK = 1.25;
/** The part of the window by which an answer may be cut without need. */
const NEGLIGIBLE_PART = 0.02;
/** The part of the likely remainder of the window that an answer gets at least. */
const MIN_PART_OF_ROOM = 0.5;
/** Allowance for framing tokens that vendors add without documenting them. */
const FRAMING_TOKENS = 32;

/**
 * Limits the answer to the tokens that the prompt leaves in the window.
 * Refuses a prompt that exceeds the window.
 */
export function fitWindow(fitted: WindowedRequest): MaybeLater<Refusal | undefined> {
  const { dialect, request } = fitted;
  // The upstream checks each of several prompts by itself.
  if (!dialect.ceilings || (request.prompts ?? 1) > 1) return undefined;
  const space = spaceOf(fitted, dialect.ceilings);
  return space instanceof Promise ? space.then((room) => limitTo(fitted, room)) : limitTo(fitted, space);
}

function limitTo(fitted: WindowedRequest, space: OutputSpace | Refusal): Refusal | undefined {
  if (space instanceof Refusal) return space;
  const { request, entry } = fitted;
  if (space !== undefined && space !== entry.model.maxOutput)
    fitted.request = { ...request, outputSpace: space };
  return undefined;
}

/**
 * Nearly every request is so short that its length alone proves that it fits. Other prompts are estimated,
 * and those near the window's edge are counted. The upstream decides the cases that stay uncertain.
 */
function spaceOf(
  fitted: WindowedRequest,
  ceilings: readonly string[],
): OutputSpace | Refusal | Promise<OutputSpace | Refusal> {
  const { entry, exchange, request } = fitted;
  const { model } = entry;
  const { body } = request;
  const maxOutput = model.maxOutput ?? model.contextWindow;
  const surelyLeft = model.contextWindow - body.text.length * MAX_TOKENS_PER_UNIT;
  const requestedOutput = askedOutput(body.value, ceilings);
  if (surelyLeft >= Math.min(requestedOutput ?? maxOutput, maxOutput)) return model.maxOutput ?? undefined;
  // The client set no ceiling, so the tokens that are certainly left are enough, unless they are few.
  if (requestedOutput === undefined && surelyLeft >= model.contextWindow / 2) return surelyLeft;
  const { likely, least } = estimateBody(body, entry.family);
  if (least > model.contextWindow) return longerThanWindow(model, { style: exchange.style, tokens: likely });
  const high = Math.ceil(likely * ESTIMATE_SLACK) + FRAMING_TOKENS;
  const space = model.contextWindow - high;
  const isNear = high - likely <= model.contextWindow * NEGLIGIBLE_PART;
  if (space >= Math.min(requestedOutput ?? 1, maxOutput) || (space > 0 && isNear))
    return Math.min(maxOutput, space);
  return countedSpace(fitted);
}

async function countedSpace(fitted: WindowedRequest): Promise<OutputSpace | Refusal> {
  const { entry, exchange, counter } = fitted;
  const { model, counted, family } = entry;
  const { sure, unsure } = await countPrompt(fitted, counter, counted);
  if (sure * (1 - family.error) > model.contextWindow)
    return longerThanWindow(model, { style: exchange.style, tokens: sure });
  const likely = sure + unsure + FRAMING_TOKENS;
  return spaceBeside(model, { likely, most: likely + Math.ceil(sure * family.error) });
}

type PromptTokens = { likely: number; most: number };

/**
 * Cuts the answer by the likely count of the prompt. An upstream refuses a prompt and a ceiling that exceed
 * the window together, so a part of the likely remainder is kept for an error of the count: as much as the
 * error can be, but never more than half.
 * If nothing seems to be left, the count may be too high, and the upstream decides.
 */
function spaceBeside({ contextWindow, maxOutput }: Model, { likely, most }: PromptTokens): OutputSpace {
  const space = Math.max(contextWindow - most, Math.ceil((contextWindow - likely) * MIN_PART_OF_ROOM));
  return space > 0 ? Math.min(maxOutput ?? space, space) : (maxOutput ?? undefined);
}
