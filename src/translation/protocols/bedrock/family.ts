/** What a model takes beyond Converse itself: its maker's own fields, and which of Converse's. */
export type Family = {
  thinking: 'budget' | 'either' | 'adaptive' | 'nova' | 'effort';
  cachesPrompt: boolean;
  cachesTools: boolean;
  /** Where the model's own top-k goes. */
  topK?: (value: number) => Record<string, unknown>;
  /** Whether thinking is signed, and gives way to a forced call. */
  isSigned: boolean;
  /** Whether it tells, when asked, at which stop sequence it stopped. */
  tellsSequence: boolean;
};

const claude: Family = {
  thinking: 'budget',
  cachesPrompt: true,
  cachesTools: true,
  topK: (value) => ({ top_k: value }),
  isSigned: true,
  tellsSequence: true,
};

const nova: Family = {
  thinking: 'nova',
  cachesPrompt: true,
  cachesTools: false,
  topK: (value) => ({ inferenceConfig: { topK: value } }),
  isSigned: false,
  tellsSequence: false,
};

const plain: Family = {
  thinking: 'effort',
  cachesPrompt: false,
  cachesTools: false,
  isSigned: false,
  tellsSequence: false,
};

/**
 * The first that fits. From 4.6 on Anthropic's models decide themselves how much they think and take an effort; 4.6 takes a budget as well,
 * later ones refuse it.
 */
const families: readonly [RegExp, Family][] = [
  [/claude-[a-z]+-4-6/, { ...claude, thinking: 'either' }],
  [/claude-[a-z]+-(?:4-[7-9]|[5-9])(?!\d)/, { ...claude, thinking: 'adaptive' }],
  [/anthropic|claude/, claude],
  [/nova/, nova],
  [
    /openai\.|gpt-oss|meta\.|llama|mistral|deepseek|qwen|cohere|ai21|writer|minimax|moonshot|zai\.|nvidia|google\.|titan/,
    plain,
  ],
];

/** The address of an inference profile does not tell its model; most are made for Anthropic's. */
export const familyOf = (upstreamModel: string): Family =>
  families.find(([pattern]) => pattern.test(upstreamModel))?.[1] ?? claude;
