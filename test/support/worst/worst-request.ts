export type Tool = {
  type?: string;
  model?: string;
  max_uses?: number;
  max_tokens?: number;
  max_content_tokens?: number;
};

/** A part of a message. A request can add a tool within its messages. */
type Part = { text?: unknown; tool?: { definition?: Tool } };
type Message = { content?: string | readonly Part[]; parts?: readonly Part[] };
type Edit = { type?: string };

/** The members of requests on all wires that bound a vendor's bill. */
export type WorstRequest = {
  model?: string;
  n?: number;
  messages?: readonly Message[];
  contents?: readonly Message[];
  input?: string | readonly Message[];
  tools?: readonly Tool[];
  max_tool_calls?: number;
  web_search_options?: object;
  context_management?: readonly Edit[] | { edits?: readonly Edit[] };
  fallbacks?: readonly { model: string; max_tokens?: number; speed?: string }[];
  speed?: string;
  max_completion_tokens?: number;
  max_tokens?: number;
  max_output_tokens?: number;
  generationConfig?: { maxOutputTokens?: number };
  generation_config?: { max_output_tokens?: number };
  inferenceConfig?: { maxTokens?: number };
};

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join('') : '';
}

function promptOf({ messages = [], input = [], contents = [] }: WorstRequest): string {
  if (typeof input === 'string') return input;
  return [...messages, ...contents, ...input]
    .flatMap(({ content, parts = [] }): readonly Part[] =>
      typeof content === 'string' ? [{ text: content }] : (content ?? parts),
    )
    .map(({ text }) => textOf(text))
    .join('');
}

/** Returns the most tokens of the prompt. A token has at least one byte. */
export const maxPromptTokens = (request: WorstRequest): number => Buffer.byteLength(promptOf(request));

/** Returns the request's limit of output tokens. */
export const outputCeilingOf = (request: WorstRequest): number | undefined =>
  request.max_completion_tokens ??
  request.max_tokens ??
  request.max_output_tokens ??
  request.generationConfig?.maxOutputTokens ??
  request.generation_config?.max_output_tokens ??
  request.inferenceConfig?.maxTokens;

/** Counts the ways in which the request compacts its context in each turn. */
export function countCompactions({ context_management = [] }: WorstRequest): number {
  const edits = 'edits' in context_management ? context_management.edits : context_management;
  return (Array.isArray(edits) ? edits : []).filter(({ type }: Edit) => type?.startsWith('compact')).length;
}
