/** The lengths that an upstream named when it found a prompt too long, in tokens. */
export type PromptLengths = { tokens: number; maximum: number };

const tokens = '(?<tokens>\\d[\\d,]*)';
const maximum = '(?<maximum>\\d[\\d,]*)';
/** Output tokens that count in addition. */
const more = '(?<more>\\d[\\d,]*)';
/** The tokens beyond the maximum. */
const beyond = '(?<beyond>\\d[\\d,]*)';

/** The forms in which vendors and servers name the lengths. The more exact form of a vendor goes first. */
const forms: readonly RegExp[] = [
  // Anthropic
  `${tokens} tokens > ${maximum} maximum`,
  `exceed context limit: ${tokens} \\+ ${more} > ${maximum}`,
  // vLLM, and hosts that run it
  `too large: ${more}\\. .{0,40}maximum context length is ${maximum} tokens and your request has ${tokens} input`,
  `passed ${tokens} input tokens and requested ${more} output tokens.*?context length is only ${maximum}`,
  `prompt \\(?(?:of )?length (?:of )?${tokens}\\)? (?:is longer than|exceeds) the (?:maximum model length|max_model_len) (?:of )?${maximum}`,
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM
  `maximum context length (?:is|of) ${maximum} tokens.*?(?:resulted in|requested(?: about| a total of)?|has|contains) ${tokens}`,
  // Google
  `input token count \\(?${tokens}\\)? exceeds the maximum number of tokens allowed \\(?${maximum}`,
  // llama.cpp, its Python server, and LM Studio
  `request \\(${tokens} tokens\\) exceeds the available context size \\(${maximum}`,
  `"n_prompt_tokens"\\s*:\\s*${tokens}.*?"n_ctx"\\s*:\\s*${maximum}`,
  `"n_ctx"\\s*:\\s*${maximum}.*?"n_prompt_tokens"\\s*:\\s*${tokens}`,
  `requested tokens \\(${tokens}\\) exceed context window of ${maximum}`,
  `n_keep: ${tokens}\\s*>=? n_ctx: ${maximum}`,
  `keep the first ${tokens} tokens.*?context length of only ${maximum}`,
  // Together, SGLang
  `input \\(${tokens} tokens\\) is longer than the model'?s context length \\(${maximum}`,
  `must be <= ${maximum}\\. Given: ${tokens} .?inputs.? tokens and ${more}`,
  `must have less than ${maximum} tokens\\. Given: ${tokens}`,
  // Mistral
  `prompt contains ${tokens} tokens.*?too large for model with ${maximum} maximum context length`,
  // xAI, Fireworks, Cerebras, Moonshot
  `maximum prompt length is ${maximum} but the request contains ${tokens}`,
  `prompt is too long: ${tokens}, model maximum context length: ${maximum}`,
  `current length is ${tokens} while limit is ${maximum}`,
  `model token limit: ${maximum} \\(requested: ${tokens}`,
  // Cohere
  `cannot exceed ${maximum} - received ${tokens}`,
  `size limit exceeded by ${beyond} tokens.*?limit for this model is ${maximum}`,
  // NVIDIA, DeepInfra, and others
  `input length:? ${tokens} exceeds (?:the )?(?:maximum|context)(?: allowed)?(?: input)? length(?: of)?:? ${maximum}`,
  `prompt token count of ${tokens} exceeds the limit of ${maximum}`,
  `prompt (?:has|contains|is) ${tokens} tokens.*?(?:maximum|limit|context).*?${maximum}`,
].map((form) => new RegExp(form, 'is'));

/** The longest text that is searched. Vendors' messages are shorter. */
const MAX_CHARACTERS = 2_000;

/**
 * Finds both lengths in the text of an upstream's error. Returns undefined if it does not name them, or they
 * fit.
 */
export function promptLengthsIn(text: string): PromptLengths | undefined {
  const searched = text.slice(0, MAX_CHARACTERS);
  for (const form of forms) {
    const groups = form.exec(searched)?.groups;
    const lengths = groups && lengthsOf(groups);
    if (lengths && lengths.tokens > lengths.maximum && Number.isSafeInteger(lengths.tokens)) return lengths;
  }
  return undefined;
}

function lengthsOf(groups: Readonly<Record<string, string | undefined>>): PromptLengths {
  const numberOf = (name: string): number => Number((groups[name] ?? '0').replaceAll(',', ''));
  const most = numberOf('maximum');
  return {
    maximum: most,
    tokens: groups['beyond'] ? most + numberOf('beyond') : numberOf('tokens') + numberOf('more'),
  };
}
