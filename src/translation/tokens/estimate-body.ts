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
const said = ['system', 'instructions', 'messages', 'input', 'prompt', 'suffix'] as const;
/** Members that vendors write into the prompt as they are. */
const writtenOut = [
  'tools',
  'functions',
  'response_format',
  'output_format',
  'output_config',
  'text',
] as const;
/** Options of all dialects that a model does not read. */
const options = [
  ...['model', 'stream', 'stream_options', 'n', 'best_of', 'echo', 'store', 'background', 'include', 'user'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tool_calls', 'temperature', 'top_p'],
  ...['top_k', 'top_logprobs', 'logprobs', 'logit_bias', 'frequency_penalty', 'presence_penalty', 'seed'],
  ...['stop', 'stop_sequences', 'tool_choice', 'function_call', 'parallel_tool_calls', 'reasoning_effort'],
  ...['reasoning', 'thinking', 'verbosity', 'modalities', 'truncation', 'previous_response_id', 'metadata'],
  ...['service_tier', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'cache_control'],
  ...['dimensions', 'encoding_format', 'anthropic_version', 'anthropic_beta'],
] as const;

type Reading = 'said' | 'written-out' | 'option';

/** How to read each member. Members in none of the lists are counted as written out, because a vendor may read them. */
const readings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ...said.map((name) => [name, 'said'] as const),
  ...writtenOut.map((name) => [name, 'written-out'] as const),
  ...options.map((name) => [name, 'option'] as const),
]);

/** Members of turns and parts that a model does not read. */
const unread = [
  ...['type', 'role', 'id', 'status', 'call_id', 'tool_use_id', 'tool_call_id', 'cache_control'],
  ...['media_type', 'signature', 'encrypted_content', 'annotations', 'citations', 'format', 'detail'],
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
] as const;

const members: ReadonlyMap<string, 'unread' | 'structural'> = new Map([
  ...unread.map((name) => [name, 'unread'] as const),
  ...structural.map((name) => [name, 'structural'] as const),
]);

/** The framing of a scalar value, for example a number. */
const SMALL_TOKENS = 1;
const LONG_NAME = 32;
/**
 * The share of a text's estimate that is certain. Pages of only long words can be three times smaller than estimated; only runs of one sign
 * are smaller still.
 */
const SURE_PART = 0.25;
/** Encrypted thinking is the thinking's text in base64, encrypted. */
const CHARACTERS_PER_ENCRYPTED_TOKEN = 6;

/** `beside`: additional text that a vendor may omit. */
type Sum = { text: number; beside: number; sure: number; unsure: number };

/** Estimates the tokens of a request from the body as sent. Media are estimated from their headers, because their base64 is not text. */
export function estimateBody(body: EstimatedBody, family: TokenFamily): TokenEstimate {
  const sum: Sum = { text: 0, beside: 0, sure: 0, unsure: 0 };
  for (const name in body.value) {
    const value = body.value[name];
    const reading = readings.get(name);
    if (value == null || reading === 'option') continue;
    if (reading === 'said') addSaid(sum, value, family);
    else addWrittenOut(sum, body, { name, isKnown: reading !== undefined, family });
  }
  const text = Math.ceil(sum.text * family.textFactor);
  return {
    likely: text + Math.ceil(sum.beside * family.textFactor) + sum.sure + sum.unsure,
    least: Math.floor(text * SURE_PART) + sum.sure,
  };
}

type Written = { name: string; isKnown: boolean; family: TokenFamily };

/** Adds the written-out members. Looking up `members` scans the body, so it happens only if the body has one. */
function addWrittenOut(sum: Sum, { members, text }: EstimatedBody, { name, isKnown, family }: Written): void {
  const place = members.get(name);
  if (!place) return;
  const tokens = estimateText(text.slice(place.start, place.end), family.vocabulary);
  if (isKnown) sum.text += tokens;
  else sum.beside += tokens + estimateName(name, family);
}

function addSaid(sum: Sum, value: unknown, family: TokenFamily): void {
  if (Array.isArray(value)) sum.sure += value.length * family.turnTokens;
  add(sum, value, family);
}

function add(sum: Sum, value: unknown, family: TokenFamily): void {
  if (typeof value === 'string') {
    sum.text += estimateText(value, family.vocabulary);
  } else if (Array.isArray(value)) {
    for (const element of value) add(sum, element, family);
  } else if (typeof value === 'object' && value !== null) {
    addFields(sum, value as PartFields, family);
  } else if (value != null) sum.text += SMALL_TOKENS;
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
    const known = members.get(name);
    if (known === 'unread') continue;
    if (known === undefined) sum.beside += estimateName(name, family);
    add(sum, fields[name], family);
  }
}

/** Estimates a name. Most names are one or two words. */
const estimateName = (name: string, { vocabulary }: TokenFamily): number =>
  name.length <= LONG_NAME ? 1 + (name.length >> 3) : estimateText(name, vocabulary);

function addEncrypted(sum: Sum, { data }: PartFields): void {
  if (typeof data === 'string') sum.unsure += Math.ceil(data.length / CHARACTERS_PER_ENCRYPTED_TOKEN);
}

function addMedia(sum: Sum, media: PartMedia, family: TokenFamily): void {
  if (media.kind === 'text') {
    sum.text += estimateText(Buffer.from(media.data, 'base64').toString(), family.vocabulary);
    return;
  }
  const countable = media.kind === 'document' ? ({ kind: 'pdf', data: media.data } as const) : media;
  const tokens = mediaTokens(countable, family, 'quick');
  const isSure = media.kind === 'image' && media.data !== undefined;
  if (isSure) sum.sure += tokens;
  else sum.unsure += tokens;
}
