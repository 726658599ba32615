import { simulatedRules, type TokenFamily, tokenFamilies } from './token-families.ts';

// biome-ignore format: a line for each group
const openWeightNames = [
  'llama', 'qwen', 'qwq', 'deepseek', 'mistral', 'mixtral', 'codestral', 'devstral', 'magistral',
  'ministral', 'pixtral', 'kimi', 'glm', 'minimax', 'grok', 'phi-', 'nemotron', 'command', 'hermes',
  'nova', 'granite', 'olmo', 'jamba', 'sonar', 'ernie', 'hunyuan', 'seed', 'step-', 'marco', 'skywork',
];

/** Matches a whole name, or one after a host's prefix: `biogpt-4` is not a model of OpenAI's. */
const wholeName = (name: string): RegExp => new RegExp(`(?:^|[^a-z0-9])(?:${name})`, 'i');

/** The families by the upstream's name of the model. The first row that matches counts. */
const rows: readonly { models: RegExp; family: TokenFamily }[] = [
  { models: /claude/i, family: tokenFamilies.anthropic },
  { models: /gemini|gemma/i, family: tokenFamilies.google },
  {
    models: wholeName('gpt-(?:3\\.5|35|4(?![o\\d]|\\.\\d))|text-embedding-(?:3|ada)'),
    family: tokenFamilies.openaiCl100k,
  },
  { models: wholeName('gpt-4o-mini'), family: tokenFamilies.gpt4oMini },
  { models: wholeName('gpt-[45][\\w.-]*-mini'), family: tokenFamilies.openaiMini },
  { models: wholeName('gpt-[45][\\w.-]*-nano'), family: tokenFamilies.openaiNano },
  {
    models: new RegExp(`(?:${openWeightNames.join('|')})[\\w.-]*-o\\d`, 'i'),
    family: tokenFamilies.openWeights,
  },
  { models: wholeName('o4-mini'), family: tokenFamilies.o4Mini },
  { models: wholeName('gpt-oss'), family: tokenFamilies.gptOss },
  { models: wholeName('gpt-(?:4o|4\\.\\d|5)|chatgpt-|codex-'), family: tokenFamilies.openai },
  { models: wholeName('o[134](?:-|$)'), family: tokenFamilies.openai },
  { models: wholeName('o\\d(?:-|$)'), family: tokenFamilies.likeOpenai },
  { models: /gpt-|chatgpt|codex/i, family: tokenFamilies.likeOpenai },
  { models: new RegExp(openWeightNames.join('|'), 'i'), family: tokenFamilies.openWeights },
];

/** The model whose maker's rules count a prompt. */
export type CountedModel = {
  upstreamModel: string;
  /** True for the built-in simulator, which counts its usage in p50k. */
  isSimulated: boolean;
};

/** Returns the counting rules of a model. */
export function findTokenFamily({ upstreamModel, isSimulated }: CountedModel): TokenFamily {
  const family = rows.find(({ models }) => models.test(upstreamModel))?.family ?? tokenFamilies.unknown;
  return isSimulated ? { ...family, ...simulatedRules } : family;
}
