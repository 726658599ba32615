import { type Fields, isFields } from '../../../base/schema/json-type.ts';
import type { ReplayToken, ThinkingPart } from '../../canonical/part.ts';
import { packReplay, unpackReplay } from '../replay-token.ts';
import { PROTOCOL } from './protocol.ts';
import { isReasoningField } from './reasoning-fields.ts';

/** In the shape that clients of this protocol know for reasoning that they cannot read and must give back. */
export type ReasoningDetail = { type: 'reasoning.encrypted'; data: string };

type Span = { start: number; end: number };

const detail = (data: string): ReasoningDetail => ({ type: 'reasoning.encrypted', data });

/**
 * A thought's token, with the piece of `reasoning_content` that it belongs to: a turn can hold several thoughts, and a signature is good for
 * its own words only. A token that only names the field needs no carrier.
 */
export function formatThoughtToken(replay: ReplayToken, { start, end }: Span): ReasoningDetail | undefined {
  if (replay.issuer === PROTOCOL && isReasoningField(replay.data)) return undefined;
  return detail(`${start}-${end}.${packReplay(PROTOCOL, replay)}`);
}

/** What this protocol's own hosts encrypted goes out as the entry that it came in. */
export function formatRedacted(replay: ReplayToken): object {
  if (replay.issuer !== PROTOCOL) return detail(packReplay(PROTOCOL, replay));
  return parseEntry(replay.data) ?? detail(replay.data);
}

export function parseEntry(text: string): Fields | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    return isFields(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

const SPANNED = /^(\d{1,9})-(\d{1,9})\.(.*)$/s;

/** A host's own entry, whole; ours gives the token back, or nothing where it was damaged. */
export function readRedacted(entry: Fields): ReplayToken | undefined {
  if (typeof entry.data !== 'string' || SPANNED.test(entry.data)) return undefined;
  const token = unpackReplay(PROTOCOL, entry.data);
  return token?.issuer === PROTOCOL && token.data === entry.data
    ? { issuer: PROTOCOL, data: JSON.stringify(entry) }
    : token;
}

export function readThoughtToken(entry: Fields): { span: Span; replay: ReplayToken } | undefined {
  const match = typeof entry.data === 'string' ? SPANNED.exec(entry.data) : null;
  if (!match) return undefined;
  const [, start, end, packed] = match;
  const replay = unpackReplay(PROTOCOL, packed!);
  return replay && { span: { start: Number(start), end: Number(end) }, replay };
}

/** A thought whose words came in a field: the field is what its host wants it back in. */
export const thoughtIn = (field: string, text: string): ThinkingPart => ({
  kind: 'thinking',
  form: 'full',
  text,
  replay: { issuer: PROTOCOL, data: field },
});
