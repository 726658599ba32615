import { estimateText } from './estimate-text.ts';
import { mediaInPart, type PartFields, type PartMedia } from './media-in-part.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenFamily } from './token-family.ts';

/** A client's body in any dialect: its text, the places of its top-level members, and its value. */
export type EstimatedBody = {
  text: string;
  members: ReadonlyMap<string, { start: number; end: number }>;
  value: PartFields;
};

/** `least` omits everything that must be parsed, and takes a quarter of the text. No prompt is smaller. */
export type TokenEstimate = { likely: number; least: number };

/** Members that hold the conversation, in all dialects. */
// biome-ignore format: a line for each group
const textMembers = [
  'system', 'instructions', 'messages', 'input', 'prompt', 'suffix',
  'systemInstruction', 'system_instruction', 'contents',
] as const;
/** Members that vendors write into the prompt as they are. */
const writtenOut = [
  'tools',
  'functions',
  'response_format',
  'output_format',
  'output_config',
  'text',
  'generationConfig',
] as const;
/** Options of all dialects that a model does not read. */
// biome-ignore format: a line for each group
const options = [
  'model', 'stream', 'stream_options', 'n', 'best_of', 'echo', 'store', 'background', 'include', 'user',
  'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tool_calls', 'temperature', 'top_p',
  'top_k', 'top_logprobs', 'logprobs', 'logit_bias', 'frequency_penalty', 'presence_penalty', 'seed',
  'stop', 'stop_sequences', 'tool_choice', 'function_call', 'parallel_tool_calls', 'reasoning_effort',
  'reasoning', 'thinking', 'verbosity', 'modalities', 'truncation', 'previous_response_id', 'metadata',
  'service_tier', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'cache_control',
  'dimensions', 'encoding_format', 'anthropic_version', 'anthropic_beta',
  'maxOutputTokens', 'toolConfig', 'safetySettings', 'labels', 'cachedContent', 'serviceTier',
  'previous_interaction_id', 'continuation_token', 'generation_config', 'safety_settings',
  'response_mime_type', 'response_modalities',
] as const;

type Reading = 'said' | 'written-out' | 'option';

/**
 * The reader of each member. Members in none of the lists are counted as written out,
 * because a vendor may read them.
 */
const readings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ...textMembers.map((name) => [name, 'said'] as const),
  ...writtenOut.map((name) => [name, 'written-out'] as const),
  ...options.map((name) => [name, 'option'] as const),
]);

/** Members of turns and parts that a model does not read. */
// biome-ignore format: a line for each group
const unread = [
  'type', 'role', 'id', 'status', 'call_id', 'tool_use_id', 'tool_call_id', 'cache_control',
  'media_type', 'signature', 'encrypted_content', 'annotations', 'citations', 'format', 'detail',
  'thought', 'thoughtSignature', 'mimeType', 'mime_type',
] as const;
/** Members whose names are part of the protocol, and not of the prompt. */
const structural = [
  ...[
    'content',
    'text',
    'refusal',
    'thinking',
    'reasoning',
    'reasoning_content',
    'summary',
    'source',
    'data',
  ],
  ...[
    'name',
    'input',
    'arguments',
    'function',
    'tool_calls',
    'output',
    'title',
    'context',
    'is_error',
    'url',
  ],
  ...['image_url', 'file', 'filename', 'input_audio'],
  ...['parts', 'functionCall', 'functionResponse', 'args', 'response', 'result'],
] as const;

const members: ReadonlyMap<string, 'unread' | 'structural' | 'media'> = new Map<
  string,
  'unread' | 'structural' | 'media'
>([
  ['inlineData', 'media'],
  ['fileData', 'media'],
  ...unread.map((name) => [name, 'unread'] as const),
  ...structural.map((name) => [name, 'structural'] as const),
]);

/** The framing of a scalar value, for example a number. */
const SMALL_TOKENS = 1;
const LONG_NAME = 32;
/**
 * The share of a text's estimate that is certain. Pages of only long words can be three times smaller than
 * estimated; only runs of one sign are smaller still.
 */
const SURE_PART = 0.25;
/** Encrypted thinking is the thinking's text in base64, encrypted. */
const CHARACTERS_PER_ENCRYPTED_TOKEN = 6;

/** The number of characters that are read of all texts of a body. The rest is estimated from them. */
const READ = 16 * 1024;

/** `texts` and `beside` hold texts. A vendor may omit those of `beside`. The other members hold tokens. */
type Sum = { texts: string[]; beside: string[]; small: number; names: number; sure: number; unsure: number };

/** The last estimate of each body, because the checks of one request all ask for the same. */
const estimates = new WeakMap<EstimatedBody, { family: TokenFamily; estimate: TokenEstimate }>();

/**
 * Estimates the tokens of a request from the body as sent.
 * Media are estimated from their headers, because their base64 is not text.
 */
export function estimateBody(body: EstimatedBody, family: TokenFamily): TokenEstimate {
  const cached = estimates.get(body);
  if (cached?.family === family) return cached.estimate;
  const estimate = newEstimate(body, family);
  estimates.set(body, { family, estimate });
  return estimate;
}

function newEstimate(body: EstimatedBody, family: TokenFamily): TokenEstimate {
  const sum: Sum = { texts: [], beside: [], small: 0, names: 0, sure: 0, unsure: 0 };
  for (const name in body.value) {
    const value = body.value[name];
    const reading = readings.get(name);
    if (value == null || reading === 'option') continue;
    if (reading === 'said') addSaid(sum, value, family);
    else addWrittenOut(sum, body, { name, isKnown: reading !== undefined });
  }
  const share = READ / (lengthOf(sum.texts) + lengthOf(sum.beside));
  const text = Math.ceil((sum.small + estimateTexts(sum.texts, share, family)) * family.textFactor);
  const beside = Math.ceil((sum.names + estimateTexts(sum.beside, share, family)) * family.textFactor);
  return {
    likely: text + beside + sum.sure + sum.unsure,
    least: Math.floor(text * SURE_PART) + sum.sure,
  };
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

function estimateTexts(texts: readonly string[], share: number, { vocabulary }: TokenFamily): number {
  const sampling = { share };
  let tokens = 0;
  for (const text of texts) tokens += estimateText(text, vocabulary, sampling);
  return tokens;
}

type Written = { name: string; isKnown: boolean };

/**
 * Adds the written-out members. Looking up `members` scans the body, so it happens only if the body has one.
 */
function addWrittenOut(sum: Sum, { members, text }: EstimatedBody, { name, isKnown }: Written): void {
  const place = members.get(name);
  if (!place) return;
  (isKnown ? sum.texts : sum.beside).push(text.slice(place.start, place.end));
  if (!isKnown) addName(sum, name);
}

function addSaid(sum: Sum, value: unknown, family: TokenFamily): void {
  if (Array.isArray(value)) sum.sure += value.length * family.turnTokens;
  add(sum, value, family);
}

function add(sum: Sum, value: unknown, family: TokenFamily): void {
  if (typeof value === 'string') {
    sum.texts.push(value);
  } else if (Array.isArray(value)) {
    for (const element of value) add(sum, element, family);
  } else if (typeof value === 'object' && value !== null) {
    addFields(sum, value as PartFields, family);
  } else if (value != null) sum.small += SMALL_TOKENS;
}

function addFields(sum: Sum, fields: PartFields, family: TokenFamily): void {
  const { type } = fields;
  if (typeof type === 'string') {
    const found = mediaInPart(fields);
    if (found || type === 'redacted_thinking') {
      if (found) addMedia(sum, found.media, family);
      else addEncrypted(sum, fields);
      return;
    }
  }
  for (const name in fields) {
    const reading = members.get(name);
    if (reading === 'unread') continue;
    if (reading === 'media') {
      const found = mediaInPart(fields);
      if (found) addMedia(sum, found.media, family);
      continue;
    }
    if (reading === undefined) addName(sum, name);
    add(sum, fields[name], family);
  }
}

/** Adds a name that is part of the prompt. Most names are one or two words. */
function addName(sum: Sum, name: string): void {
  if (name.length <= LONG_NAME) sum.names += 1 + (name.length >> 3);
  else sum.beside.push(name);
}

function addEncrypted(sum: Sum, { data }: PartFields): void {
  if (typeof data === 'string') sum.unsure += Math.ceil(data.length / CHARACTERS_PER_ENCRYPTED_TOKEN);
}

function addMedia(sum: Sum, media: PartMedia, family: TokenFamily): void {
  if (media.kind === 'text') {
    sum.texts.push(Buffer.from(media.data, 'base64').toString());
    return;
  }
  const countable = media.kind === 'document' ? ({ kind: 'pdf', data: media.data } as const) : media;
  const tokens = mediaTokens(countable, family, 'quick');
  const isSure = media.kind === 'image' && media.data !== undefined;
  if (isSure) sum.sure += tokens;
  else sum.unsure += tokens;
}
