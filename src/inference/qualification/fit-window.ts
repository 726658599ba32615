import { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { tokenFamilies } from '../../translation/tokens/token-families.ts';
import { countPrompt } from '../cost/count-prompt.ts';
import { requestedCeiling } from '../cost/requested-ceiling.ts';
import type { Inference } from '../request/inference.ts';
import { longerThanWindow } from './prompt-too-long.ts';

/** The most tokens that an answer may have. Undefined if the model sets no bound. */
type OutputSpace = number | undefined;

/** A token covers at least one byte of UTF-8, and a UTF-16 unit has at most three bytes. */
const MAX_TOKENS_PER_UNIT = 3;
/**
 * The most UTF-16 units that a token of a long text has on average. The vocabulary that stands for unknown
 * ones makes several times as many tokens of Chinese and Thai.
 */
const MAX_UNITS_PER_TOKEN = 6;
/** The factor by which an estimate is rarely too low. */
const ESTIMATE_SLACK = 1.25;
/** An answer may lose this share of the window to an estimate, since a count would cost more. */
const NEGLIGIBLE_SHARE = 0.02;
/** An answer gets at least this share of what the prompt probably leaves in the window. */
const MIN_SHARE_OF_REST = 0.5;
/** Allowance for framing tokens that vendors add without documenting them. */
const FRAMING_TOKENS = 32;

/**
 * Sets the request's `outputSpace` to the tokens that the prompt leaves in the window. Refuses a prompt that
 * exceeds the window, as well as a text to embed.
 */
export function fitWindow(inference: Inference): MaybeLater<Refusal | undefined> {
  const { dialect, request } = inference;
  if (request.texts === 1) return refuseLongText(inference);
  // The upstream checks each of several prompts by itself.
  if (!dialect.ceilings || (request.prompts ?? 1) > 1) return undefined;
  const space = outputSpace(inference, dialect.ceilings);
  return space instanceof Promise
    ? space.then((counted) => setSpace(inference, counted))
    : setSpace(inference, space);
}

/** Refuses a text to embed that surely exceeds the window. Some hosts silently embed only its beginning. */
function refuseLongText(inference: Inference): MaybeLater<Refusal | undefined> {
  const { entry, exchange, request } = inference;
  const { model, family } = entry;
  const { contextWindow } = model;
  if (request.body.text.length * MAX_TOKENS_PER_UNIT <= contextWindow) return undefined;
  const parts = [request.body.value['input']].flat(2);
  const [text] = parts;
  const refuse = (tokens: number) => longerThanWindow(model, { style: exchange.style, tokens });
  if (typeof text !== 'string') return parts.length > contextWindow ? refuse(parts.length) : undefined;
  if (family === tokenFamilies.unknown && text.length <= contextWindow * MAX_UNITS_PER_TOKEN)
    return undefined;
  const { likely, least } = estimateBody(request.body, family);
  if (likely <= contextWindow) return undefined;
  if (least > contextWindow) return refuse(likely);
  return countedSpace(inference).then((space) => (space instanceof Refusal ? space : undefined));
}

function setSpace(inference: Inference, space: OutputSpace | Refusal): Refusal | undefined {
  if (space instanceof Refusal) return space;
  const { request, entry } = inference;
  if (space !== undefined && space !== entry.model.maxOutput)
    inference.request = { ...request, outputSpace: space };
  return undefined;
}

/**
 * Nearly every request is so short that its length alone proves that it fits. Other prompts are estimated,
 * and those near the window's edge are counted. The upstream decides the cases that stay uncertain.
 */
function outputSpace(
  inference: Inference,
  ceilings: readonly string[],
): OutputSpace | Refusal | Promise<OutputSpace | Refusal> {
  const { entry, request } = inference;
  const { model } = entry;
  const maxOutput = model.maxOutput ?? model.contextWindow;
  const surelyLeft = model.contextWindow - request.body.text.length * MAX_TOKENS_PER_UNIT;
  const requestedOutput = requestedCeiling(request.body.value, ceilings);
  if (surelyLeft >= Math.min(requestedOutput ?? maxOutput, maxOutput)) return model.maxOutput ?? undefined;
  // The client set no ceiling, so the tokens that are certainly left are enough, unless they are few.
  if (requestedOutput === undefined && surelyLeft >= model.contextWindow / 2) return surelyLeft;
  // An answer without a ceiling needs at least one token.
  return spaceByEstimate(inference, Math.min(requestedOutput ?? 1, maxOutput));
}

function spaceByEstimate(
  inference: Inference,
  wantedOutput: number,
): OutputSpace | Refusal | Promise<OutputSpace | Refusal> {
  const { entry, exchange, request } = inference;
  const { model } = entry;
  const { likely, least } = estimateBody(request.body, entry.family);
  if (least > model.contextWindow) return longerThanWindow(model, { style: exchange.style, tokens: likely });
  const high = Math.ceil(likely * ESTIMATE_SLACK) + FRAMING_TOKENS;
  const space = model.contextWindow - high;
  const isNear = high - likely <= model.contextWindow * NEGLIGIBLE_SHARE;
  if (space >= wantedOutput || (space > 0 && isNear))
    return Math.min(model.maxOutput ?? model.contextWindow, space);
  return countedSpace(inference);
}

async function countedSpace(inference: Inference): Promise<OutputSpace | Refusal> {
  const { entry, exchange, counter } = inference;
  const { model, counted, family } = entry;
  const { sure, unsure } = await countPrompt(inference, counter, counted);
  if (sure * (1 - family.relativeError) > model.contextWindow)
    return longerThanWindow(model, { style: exchange.style, tokens: sure });
  const likely = sure + unsure + FRAMING_TOKENS;
  return spaceLeft(model, { likely, most: likely + Math.ceil(sure * family.relativeError) });
}

type PromptTokens = { likely: number; most: number };

/**
 * Cuts the answer by the likely count of the prompt. An upstream refuses a prompt and a ceiling that exceed
 * the window together, and the count can be too low. A part of the likely rest of the window therefore stays
 * free: the possible error of the count, and at most half of the rest. If nothing seems to be left, the count
 * may be too high, and the upstream decides.
 */
function spaceLeft({ contextWindow, maxOutput }: Model, { likely, most }: PromptTokens): OutputSpace {
  const space = Math.max(contextWindow - most, Math.ceil((contextWindow - likely) * MIN_SHARE_OF_REST));
  return space > 0 ? Math.min(maxOutput ?? space, space) : (maxOutput ?? undefined);
}
