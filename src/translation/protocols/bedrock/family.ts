import type { Fields } from '../../../base/schema/json-type.ts';

/**
 * The features of a model that Converse leaves open: its maker's own fields, and the Converse fields that it
 * supports.
 */
export type Family = {
  /** The model maker's way to request thinking. `either`: a budget or adaptive thinking. */
  thinking: 'budget' | 'either' | 'adaptive' | 'nova' | 'effort';
  /** True if the prompt can hold cache points. */
  cachesPrompt: boolean;
  /** True if the list of tools can hold cache points. */
  cachesTools: boolean;
  /** True if the model caches only prompts with cache points, and certainly accepts them. */
  needsMarks: boolean;
  /** Returns the model's own field for top-k, or undefined for a model without such a field. */
  topK?: (value: number) => Fields;
  /** True if thinking is signed and cannot be combined with a forced call. */
  isSigned: boolean;
  /** True if the model can report the stop sequence that it met. */
  reportsSequence: boolean;
};

const claude: Family = {
  thinking: 'budget',
  cachesPrompt: true,
  cachesTools: true,
  needsMarks: true,
  topK: (value) => ({ top_k: value }),
  isSigned: true,
  reportsSequence: true,
};

const nova: Family = {
  thinking: 'nova',
  cachesPrompt: true,
  cachesTools: false,
  needsMarks: false,
  topK: (value) => ({ inferenceConfig: { topK: value } }),
  isSigned: false,
  reportsSequence: false,
};

/** Claude models that cannot cache, and models whose name is unknown. */
const unmarkedClaude: Family = { ...claude, needsMarks: false };

/** Models of makers whose fields the gateway does not know. */
const plain: Family = {
  thinking: 'effort',
  cachesPrompt: false,
  cachesTools: false,
  needsMarks: false,
  isSigned: false,
  reportsSequence: false,
};

/**
 * The families. The first match wins. From version 4.6 on, Anthropic's models choose their own budget and
 * take an effort. Version 4.6 also takes a budget, which later versions refuse.
 */
const families: readonly [RegExp, Family][] = [
  [/claude-[a-z]+-4-6/, { ...claude, thinking: 'either' }],
  [/claude-[a-z]+-(?:4-[7-9]|[5-9])(?!\d)/, { ...claude, thinking: 'adaptive' }],
  [/claude-(?:3-(?!7)|v\d|instant)/, unmarkedClaude],
  [/anthropic|claude/, claude],
  [/nova/, nova],
  [
    /openai\.|gpt-oss|meta\.|llama|mistral|deepseek|qwen|cohere|ai21|writer|minimax|moonshot|zai\.|nvidia|google\.|titan/,
    plain,
  ],
];

/**
 * Returns the family of a model.
 * An inference profile's address does not reveal its model, so Anthropic's family is assumed.
 */
export const familyOf = (upstreamModel: string): Family =>
  families.find(([pattern]) => pattern.test(upstreamModel))?.[1] ?? unmarkedClaude;
