import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { EstimatedBody } from '../../translation/tokens/estimate-body.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';
import type { RateChoices } from './rate-choices.ts';

/** The facts of a request that decide what it can cost. */
export type CostedRequest = {
  entry: Pick<CatalogEntry, 'model'>;
  /** The bounds of the models that may answer. */
  bounds: AnswerBounds;
  /** The rates that the answers can have. */
  rates: RateChoices;
  body: Pick<EstimatedBody, 'value'>;
  /** The most tokens that the prompt can have. */
  input: number;
  /** The members that set the output ceiling. The list is empty if the answers have no tokens. */
  ceilings: readonly string[];
  /** The lowest ceiling that every possible server accepts. A lower ceiling is raised to this value. */
  leastOutput?: number | undefined;
  /** The most tokens that an answer may have, if that is less than the model's own bound. */
  outputSpace?: number | undefined;
  /** The ceiling of a request in which the client sets no ceiling. */
  unaskedOutput?: number | undefined;
  /** The number of prompts that are answered apart. Default: 1. */
  prompts?: number | undefined;
  /** The number of answers to all prompts together. Default: one to each prompt. */
  answers?: number | undefined;
  /** The number of answers that the model writes, if it writes more than it returns. */
  written?: number | undefined;
  /** The tools that the upstream runs, in the groups whose calls it limits together. */
  hosted?: readonly HostedGroup[] | undefined;
  /** The number of ways in which the conversation is compacted. */
  compactions?: number | undefined;
  /** The models that answer if the requested model declines. */
  fallbacks?: readonly Fallback[] | undefined;
};

/** `ceiling`: the output ceiling that the request sets for this model alone. */
export type Fallback = { rates: RateChoices; bounds: AnswerBounds; ceiling?: number | undefined };

/** The most that an answer may use. */
export type AnswerPlan = {
  /** The output tokens of each answer. */
  output: number;
  /** The calls of each group of hosted tools. */
  grants: readonly Grant[];
};
