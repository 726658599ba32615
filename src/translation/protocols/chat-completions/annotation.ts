import { isObject } from '../../../base/lib/is-object.ts';
import type { Citation } from '../../canonical/part.ts';
import { PROTOCOL } from './protocol.ts';

/** A source in the text of an answer, as clients of this protocol read it. */
export type Annotation = {
  type: 'url_citation';
  url_citation: { url: string; title: string; start_index: number; end_index: number };
};

/**
 * Formats a citation. This protocol can only show sources with a URL.
 * Another vendor's citation covers the text that it follows.
 */
export function formatAnnotation(
  { issuer, raw, url, title }: Citation,
  place: { start: number; end: number },
): Annotation | undefined {
  // The client gets a host's own annotation as the host made it.
  if (issuer === PROTOCOL && isObject(raw) && raw.type === 'url_citation') return raw as Annotation;
  if (url === undefined) return undefined;
  return {
    type: 'url_citation',
    url_citation: { url, title: title ?? url, start_index: place.start, end_index: place.end },
  };
}
