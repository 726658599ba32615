import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, unpackReplay } from '../../encoding/replay-token.ts';
import { PROTOCOL } from './protocol.ts';
import { isReasoningPlace } from './reasoning-fields.ts';

/** The form in which clients of this protocol store and return encrypted reasoning. */
type ReasoningDetail = { type: 'reasoning.encrypted'; data: string };

/** The place of a thought in `reasoning_content`, in characters. */
type Span = { start: number; end: number };

const SPANNED = /^(\d{1,9})-(\d{1,9})\.(.*)$/s;

const detail = (data: string): ReasoningDetail => ({ type: 'reasoning.encrypted', data });

/**
 * Formats a thought's token together with its span of `reasoning_content`. A turn can hold several thoughts,
 * and a signature is valid only for its own text. A token that only names the field needs no entry.
 */
export function formatThoughtToken(replay: ReplayToken, { start, end }: Span): ReasoningDetail | undefined {
  if (replay.issuer === PROTOCOL && isReasoningPlace(replay.data)) return undefined;
  return detail(`${start}-${end}.${packReplay(PROTOCOL, replay)}`);
}

/** Formats redacted thinking. An entry from a host of this protocol goes out unchanged. */
export function formatRedacted(replay: ReplayToken): object {
  if (replay.issuer !== PROTOCOL) return detail(packReplay(PROTOCOL, replay));
  return parseEntry(replay.data) ?? detail(replay.data);
}

/**
 * Reads an entry of redacted thinking. A host's own entry becomes a token as a whole. From the gateway's
 * entries the packed token is returned, or undefined if it is damaged.
 */
export function readRedacted(entry: Fields): ReplayToken | undefined {
  if (typeof entry.data !== 'string' || SPANNED.test(entry.data)) return undefined;
  const token = unpackReplay(PROTOCOL, entry.data);
  return token?.issuer === PROTOCOL && token.data === entry.data
    ? { issuer: PROTOCOL, data: JSON.stringify(entry) }
    : token;
}

/** Reads a token that formatThoughtToken wrote. Returns undefined for other entries. */
export function readThoughtToken(entry: Fields): { span: Span; replay: ReplayToken } | undefined {
  const match = typeof entry.data === 'string' ? SPANNED.exec(entry.data) : null;
  if (!match) return undefined;
  const [, start, end, packed] = match;
  const replay = unpackReplay(PROTOCOL, packed!);
  return replay && { span: { start: Number(start), end: Number(end) }, replay };
}

/** Parses the data of a host's own entry, which is the entry as JSON. Other data is not JSON. */
function parseEntry(text: string): Fields | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    return isObject(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}
