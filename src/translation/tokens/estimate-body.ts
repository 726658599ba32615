import { isObject } from '../../base/lib/is-object.ts';
import { encryptedTokens } from './encrypted-tokens.ts';
import { estimateText } from './estimate-text.ts';
import { fieldReadings, memberReadings } from './field-readings.ts';
import { mediaInPart, type PartFields, type PartMedia } from './media-in-part.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenFamily } from './token-families.ts';

/** A client's body in any dialect: its text, the places of its top-level members, and its value. */
export type EstimatedBody = {
  text: string;
  members: ReadonlyMap<string, { start: number; end: number }>;
  value: PartFields;
};

/** `least` omits everything that must be parsed, and takes a quarter of the text. No prompt is smaller. */
type TokenEstimate = { likely: number; least: number };

/** The framing of a scalar value, for example a number. */
const SMALL_TOKENS = 1;
const LONG_NAME = 32;
/**
 * The share of a text's estimate that is certain. Pages of only long words can be three times smaller than
 * estimated; only runs of one sign are smaller still.
 */
const SURE_PART = 0.25;

/** The number of characters that are read of all texts of a body. The rest is estimated from them. */
const READ_LENGTH = 16 * 1024;

/** The contents of a body, by the way in which they are counted. */
type Sum = {
  texts: string[];
  /** Texts that a vendor may omit. */
  optionalTexts: string[];
  scalarTokens: number;
  /** The tokens of short names that a vendor may omit. */
  nameTokens: number;
  /** Media and framing whose tokens are certain. */
  sureTokens: number;
  unsureTokens: number;
};

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
  const sum: Sum = {
    texts: [],
    optionalTexts: [],
    scalarTokens: 0,
    nameTokens: 0,
    sureTokens: 0,
    unsureTokens: 0,
  };
  for (const name in body.value) {
    const value = body.value[name];
    const reading = memberReadings.get(name);
    if (value == null || reading === 'option') continue;
    if (reading === 'said') addSaid(sum, value, family);
    else addWrittenOut(sum, body, { name, isKnown: reading !== undefined });
  }
  const share = READ_LENGTH / (lengthOf(sum.texts) + lengthOf(sum.optionalTexts));
  const certain = Math.ceil((sum.scalarTokens + estimateTexts(sum.texts, share, family)) * family.textFactor);
  const optional = Math.ceil(
    (sum.nameTokens + estimateTexts(sum.optionalTexts, share, family)) * family.textFactor,
  );
  return {
    likely: certain + optional + sum.sureTokens + sum.unsureTokens,
    least: Math.floor(certain * SURE_PART) + sum.sureTokens,
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
  (isKnown ? sum.texts : sum.optionalTexts).push(text.slice(place.start, place.end));
  if (!isKnown) addName(sum, name);
}

function addSaid(sum: Sum, value: unknown, family: TokenFamily): void {
  // A flat list of tokens is one text.
  if (Array.isArray(value) && typeof value[0] !== 'number')
    sum.sureTokens += value.length * family.turnTokens;
  add(sum, value, family);
}

function add(sum: Sum, value: unknown, family: TokenFamily): void {
  if (typeof value === 'string') {
    sum.texts.push(value);
  } else if (Array.isArray(value)) {
    for (const element of value) add(sum, element, family);
  } else if (isObject(value)) {
    addFields(sum, value, family);
  } else if (value != null) sum.scalarTokens += SMALL_TOKENS;
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
    const reading = fieldReadings.get(name);
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
  if (name.length <= LONG_NAME) sum.nameTokens += 1 + (name.length >> 3);
  else sum.optionalTexts.push(name);
}

function addEncrypted(sum: Sum, { data }: PartFields): void {
  if (typeof data === 'string') sum.unsureTokens += encryptedTokens(data);
}

function addMedia(sum: Sum, media: PartMedia, family: TokenFamily): void {
  if (media.kind === 'text') {
    sum.texts.push(media.text);
    return;
  }
  const countable = media.kind === 'document' ? ({ kind: 'pdf', data: media.data } as const) : media;
  const tokens = mediaTokens(countable, family, 'quick');
  const isSure = media.kind === 'image' && media.data !== undefined;
  if (isSure) sum.sureTokens += tokens;
  else sum.unsureTokens += tokens;
}
