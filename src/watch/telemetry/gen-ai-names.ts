import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';

/** The facts of a request that the GenAI conventions name. */
export type GenAiFact =
  | 'operation'
  | 'provider'
  | 'requestModel'
  | 'responseModel'
  | 'responseId'
  | 'conversation'
  | 'stream'
  | 'finishReasons'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'firstChunkSeconds';

type NamesOfFacts = Readonly<Partial<Record<GenAiFact, string>>>;

const latest: NamesOfFacts = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  conversation: 'gen_ai.conversation.id',
  stream: 'gen_ai.request.stream',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  firstChunkSeconds: 'gen_ai.response.time_to_first_chunk',
};

/** The names of semantic conventions 1.36. */
const legacy: NamesOfFacts = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.system',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
};

const sets: Readonly<Record<TelemetrySettings['genAiNames'], readonly NamesOfFacts[]>> = {
  latest: [latest],
  legacy: [legacy],
  both: [latest, legacy],
};

/** Returns the attribute names of a fact, which may be none. */
export const genAiNamesOf = (names: TelemetrySettings['genAiNames'], fact: GenAiFact): string[] => [
  ...new Set(sets[names].flatMap((set) => set[fact] ?? [])),
];
