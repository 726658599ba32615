import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { byArea, byLargeTiles, byPatches, byTiles, type ImageRule, openaiTiles } from './image-rules.ts';
import { type MostTokens, mostOf } from './most-tokens.ts';
import type { ToolForm } from './written-tools.ts';

/** The counting rules of a maker's models. */
export type TokenFamily = {
  name: string;
  vocabulary: VocabularyName;
  /** The token count of the maker's own vocabulary, relative to the published one. */
  textFactor: number;
  /** The possible relative difference from the maker's own count. */
  error: number;
  /**
   * True if the vocabulary is the maker's own. If so, a text's count is exact; otherwise it is approximate.
   */
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
  /** The most tokens of a prompt without its texts. */
  most: MostTokens;
};

const openai = {
  name: 'openai',
  vocabulary: 'o200k',
  textFactor: 1,
  error: 0.02,
  image: byTiles,
  unseenImageTokens: 765,
  pdfPageTokens: 1_200,
  audioTokensPerSecond: 10,
  turnTokens: 3,
  toolsTokens: 0,
  toolForm: 'typescript',
  isExact: true,
  most: mostOf.openai,
} as const satisfies TokenFamily;

/** The name suggests a vocabulary of OpenAI's, but does not prove it. */
const likeOpenai = { ...openai, isExact: false, most: mostOf.unknown } as const satisfies TokenFamily;

const openWeights = {
  ...openai,
  name: 'open-weights',
  error: 0.15,
  toolForm: 'json',
  isExact: false,
  most: mostOf.unknown,
  image: byArea,
  unseenImageTokens: 1_000,
} as const satisfies TokenFamily;

// biome-ignore format: a line for each group
const openWeightNames = [
  'llama', 'qwen', 'qwq', 'deepseek', 'mistral', 'mixtral', 'codestral', 'devstral', 'magistral',
  'ministral', 'pixtral', 'kimi', 'glm', 'minimax', 'grok', 'phi-', 'nemotron', 'command', 'hermes',
  'nova', 'granite', 'olmo', 'jamba', 'sonar', 'ernie', 'hunyuan', 'seed', 'step-',
];

type Row = { models: RegExp; family: TokenFamily };

/** The size that is cut into the most tiles. */
const MAX_IMAGE = { width: 2_048, height: 768 };

const simulated = {
  vocabulary: 'p50k',
  textFactor: 1,
  error: 0.02,
  turnTokens: 3,
  toolsTokens: 0,
  toolForm: 'json',
  isExact: true,
  most: mostOf.simulated,
} as const;

/** Matches a whole name, or one after a host's prefix: `biogpt-4` is not a model of OpenAI's. */
const wholeName = (name: string): RegExp => new RegExp(`(?:^|[^a-z0-9])${name}`, 'i');

const openaiWith = (image: ImageRule): TokenFamily => ({
  ...openai,
  image,
  unseenImageTokens: image(MAX_IMAGE, 'high'),
  most: { ...mostOf.openai, image: (size, detail) => image(size ?? MAX_IMAGE, detail) },
});

/**
 * The families, by the upstream's name of the model. OpenAI publishes its vocabularies. Anthropic and Google
 * do not: Claude makes 10 to 20 % more tokens of a text than cl100k does. Gemini and the current open-weight
 * models are within 10 to 15 % of o200k. A page of a PDF is 1,500 to 3,000 tokens by Anthropic's
 * documentation and 258 by Google's.
 * A second of audio is 32 tokens by Google's documentation and 10 by OpenAI's.
 */
const rows: readonly Row[] = [
  {
    models: /claude/i,
    family: {
      name: 'anthropic',
      vocabulary: 'cl100k',
      textFactor: 1.15,
      error: 0.15,
      image: byArea,
      unseenImageTokens: 1_600,
      pdfPageTokens: 2_250,
      audioTokensPerSecond: 10,
      turnTokens: 4,
      toolsTokens: 346,
      toolForm: 'json',
      isExact: false,
      most: mostOf.anthropic,
    },
  },
  {
    models: /gemini|gemma/i,
    family: {
      name: 'google',
      vocabulary: 'o200k',
      textFactor: 1,
      error: 0.15,
      image: byLargeTiles,
      unseenImageTokens: 1_032,
      pdfPageTokens: 258,
      audioTokensPerSecond: 32,
      turnTokens: 3,
      toolsTokens: 0,
      toolForm: 'json',
      isExact: false,
      most: mostOf.google,
    },
  },
  {
    models: wholeName('gpt-(?:3\\.5|35|4(?!o|\\.\\d))|text-embedding-(?:3|ada)'),
    family: { ...openai, vocabulary: 'cl100k' },
  },
  { models: wholeName('gpt-4o-mini'), family: openaiWith(openaiTiles(2_833, 5_667)) },
  { models: wholeName('gpt-[45][\\w.-]*-mini'), family: openaiWith(byPatches(1.62)) },
  { models: wholeName('gpt-[45][\\w.-]*-nano'), family: openaiWith(byPatches(2.46)) },
  { models: /(?:^|\/)o4-mini/i, family: openaiWith(byPatches(1.72)) },
  { models: wholeName('gpt-oss'), family: { ...openai, most: mostOf.gptOss } },
  { models: wholeName('(?:gpt-(?:4o|4\\.\\d|5)|chatgpt-|codex-)'), family: openai },
  { models: /(?:^|[/.])o[134](?:-|$)/i, family: openai },
  { models: /gpt-|chatgpt|codex|(?:^|\/)o\d(?:-|$)/i, family: likeOpenai },
  {
    models: new RegExp(openWeightNames.join('|'), 'i'),
    family: openWeights,
  },
];

/**
 * Unknown names are counted with the smallest vocabulary.
 * It loads fast and counts too many tokens rather than too few.
 */
const unknown = { ...openWeights, name: 'unknown', vocabulary: 'p50k' } as const satisfies TokenFamily;

/** The model whose maker's rules count a prompt. */
export type CountedModel = {
  upstreamModel: string;
  /** True for the built-in simulator, which counts its usage in p50k. */
  isSimulated: boolean;
};

/** Returns the counting rules of a model. */
export function tokenFamily({ upstreamModel, isSimulated }: CountedModel): TokenFamily {
  const family = rows.find(({ models }) => models.test(upstreamModel))?.family ?? unknown;
  return isSimulated ? { ...family, ...simulated } : family;
}
