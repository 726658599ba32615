import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Citation } from '../../canonical/part.ts';

export function decodeCitation(annotation: unknown): Citation {
  const { url, title, filename } = objectOf(annotation);
  const citation: Citation = { issuer: 'responses', raw: annotation };
  const link = textOf(url);
  const name = textOf(title) ?? textOf(filename);
  if (link !== undefined) citation.url = link;
  if (name !== undefined) citation.title = name;
  return citation;
}

/**
 * The annotation of a citation: this API's own as it came, another's as a link, since the shapes have nothing else in common. It covers the
 * text until here: where exactly, only its own vendor says. Undefined: it has no address.
 */
export function encodeCitation({ issuer, raw, url, title }: Citation, textLength: number): unknown {
  if (issuer === 'responses') return raw;
  if (url === undefined) return undefined;
  return { type: 'url_citation', url, title: title ?? '', start_index: 0, end_index: textLength };
}
