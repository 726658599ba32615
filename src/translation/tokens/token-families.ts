import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import {
  byArea,
  byLargeTiles,
  byPatches,
  byTiles,
  type ImageRule,
  MAX_TILED_IMAGE,
  openaiTiles,
} from './image-rules.ts';
import { type NonTextBounds, nonTextBounds } from './non-text-bounds.ts';
import type { ToolForm } from './written-tools.ts';

/** The counting rules of a maker's models. */
export type TokenFamily = {
  name: string;
  vocabulary: VocabularyName;
  /** The token count of the maker's own vocabulary, relative to the published one. */
  textFactor: number;
  /** The possible relative difference from the maker's own count. */
  relativeError: number;
  /** True if the vocabulary is the maker's own, so that counts of text are exact. */
  isExact: boolean;
  image: ImageRule;
  /** An image of unknown size. */
  unseenImageTokens: number;
  pdfPageTokens: number;
  audioTokensPerSecond: number;
  /** The framing of a turn. */
  turnTokens: number;
  /** The framing of the tools as a whole. */
  toolsTokens: number;
  toolForm: ToolForm;
  bounds: NonTextBounds;
};

/** The size that is assumed for an image that the gateway does not see. */
const USUAL_IMAGE = { width: 1_024, height: 1_024 };

const openai = {
  name: 'openai',
  vocabulary: 'o200k',
  textFactor: 1,
  relativeError: 0.02,
  isExact: true,
  image: byTiles,
  unseenImageTokens: byTiles(USUAL_IMAGE, 'high'),
  pdfPageTokens: 1_200,
  audioTokensPerSecond: 10,
  turnTokens: 3,
  toolsTokens: 0,
  toolForm: 'typescript',
  bounds: nonTextBounds.openai,
} as const satisfies TokenFamily;

const openaiWith = (image: ImageRule): TokenFamily => ({
  ...openai,
  image,
  unseenImageTokens: image(MAX_TILED_IMAGE, 'high'),
  bounds: { ...nonTextBounds.openai, image: (size, detail) => image(size ?? MAX_TILED_IMAGE, detail) },
});

const openWeights = {
  ...openai,
  name: 'open-weights',
  relativeError: 0.15,
  isExact: false,
  image: byArea,
  unseenImageTokens: 1_000,
  toolForm: 'json',
  bounds: nonTextBounds.unknown,
} as const satisfies TokenFamily;

/**
 * The families by maker. OpenAI publishes its vocabularies. Anthropic and Google do not: Claude makes 10 to
 * 20 % more tokens of a text than cl100k does. Gemini and the current open-weight models are within 10 to
 * 15 % of o200k. A page of a PDF is 1,500 to 3,000 tokens by Anthropic's documentation and 258 by Google's.
 * A second of audio is 32 tokens by Google's documentation and 10 by OpenAI's.
 */
export const tokenFamilies = {
  openai,
  openaiCl100k: { ...openai, vocabulary: 'cl100k' },
  gpt4oMini: openaiWith(openaiTiles(2_833, 5_667)),
  openaiMini: openaiWith(byPatches(1.62)),
  openaiNano: openaiWith(byPatches(2.46)),
  o4Mini: openaiWith(byPatches(1.72)),
  gptOss: { ...openai, bounds: nonTextBounds.gptOss },
  /** The name suggests a vocabulary of OpenAI's, but does not prove it. */
  likeOpenai: { ...openai, isExact: false, bounds: nonTextBounds.unknown },
  anthropic: {
    name: 'anthropic',
    vocabulary: 'cl100k',
    textFactor: 1.15,
    relativeError: 0.15,
    isExact: false,
    image: byArea,
    unseenImageTokens: 1_600,
    pdfPageTokens: 2_250,
    audioTokensPerSecond: 10,
    turnTokens: 4,
    /** The system prompt that tools add, by Anthropic's documentation. */
    toolsTokens: 346,
    toolForm: 'json',
    bounds: nonTextBounds.anthropic,
  },
  google: {
    name: 'google',
    vocabulary: 'o200k',
    textFactor: 1,
    relativeError: 0.15,
    isExact: false,
    image: byLargeTiles,
    unseenImageTokens: byLargeTiles(USUAL_IMAGE, 'high'),
    pdfPageTokens: 258,
    audioTokensPerSecond: 32,
    turnTokens: 3,
    toolsTokens: 0,
    toolForm: 'json',
    bounds: nonTextBounds.google,
  },
  openWeights,
  /**
   * Unknown names are counted with the smallest vocabulary.
   * It loads fast and counts too many tokens rather than too few.
   */
  unknown: { ...openWeights, name: 'unknown', vocabulary: 'p50k' },
} as const satisfies Record<string, TokenFamily>;

/** The rules of the built-in simulator, which replace those of the maker whose name a model has. */
export const simulatedRules = {
  vocabulary: 'p50k',
  textFactor: 1,
  relativeError: 0.02,
  isExact: true,
  turnTokens: 3,
  toolsTokens: 0,
  toolForm: 'json',
  bounds: nonTextBounds.simulated,
} as const satisfies Partial<TokenFamily>;
