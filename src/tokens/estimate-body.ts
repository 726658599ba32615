import { estimateText } from './estimate-text.ts';
import { mediaInBody } from './media-in-body.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenFamily } from './token-family.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A client's body in whichever dialect: its text, where the top-level members lie in it, and its value. */
export type EstimatedBody = {
  text: string;
  members: ReadonlyMap<string, { start: number; end: number }>;
  value: Fields;
};

/** `least` leaves out what nobody can know without a look into it, and takes a quarter of the text: no prompt is less. */
export type TokenEstimate = { likely: number; least: number };

/** What is said, in the words of all dialects. */
const said = ['system', 'instructions', 'messages', 'input', 'prompt'];
/** What vendors write into the prompt as it is. */
const writtenOut = ['tools', 'functions', 'response_format', 'output_format', 'output_config', 'text'];

/** Members of turns and parts that no model reads. */
const unread = new Set([
  ...['type', 'role', 'id', 'status', 'call_id', 'tool_use_id', 'tool_call_id', 'cache_control'],
  ...['media_type', 'signature', 'encrypted_content', 'annotations', 'citations', 'format', 'detail'],
]);

/** Framing of what stands by itself, like numbers and the names of a call's arguments. */
const SMALL_TOKENS = 1;
/** Pages of nothing but long words are up to three times less than they are thought to be; only runs of one sign are still less. */
const SURE_PART = 0.25;

type Sum = { text: number; sure: number; unsure: number };

/** About how many tokens a request is, from the body as it was sent. Media count by their headers: their base64 is no text. */
export function estimateBody(body: EstimatedBody, family: TokenFamily): TokenEstimate {
  const sum: Sum = { text: 0, sure: 0, unsure: 0 };
  for (const name of said) addSaid(sum, body.value[name], family);
  for (const name of writtenOut) {
    // The members are looked up by the first who asks: most bodies have none of these.
    const place = body.value[name] == null ? undefined : body.members.get(name);
    if (place) sum.text += estimateText(body.text.slice(place.start, place.end), family.vocabulary);
  }
  const text = Math.ceil(sum.text * family.textFactor);
  return {
    likely: text + sum.sure + sum.unsure,
    least: Math.floor(text * SURE_PART) + sum.sure,
  };
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
    addFields(sum, value as Fields, family);
  } else if (value != null) sum.text += SMALL_TOKENS;
}

function addFields(sum: Sum, fields: Fields, family: TokenFamily): void {
  const media = mediaInBody(fields);
  if (media === undefined) {
    for (const name in fields) {
      if (!unread.has(name)) add(sum, fields[name], family);
    }
    return;
  }
  const tokens = 'text' in media ? 0 : mediaTokens(media, family, 'quick');
  const isSure = media.kind === 'image' && media.data !== undefined;
  if (isSure) sum.sure += tokens;
  else sum.unsure += tokens;
}
