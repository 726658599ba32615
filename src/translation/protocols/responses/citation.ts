import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Citation } from '../../canonical/part.ts';

/** Decodes an annotation. Its raw form goes back to this vendor. */
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
 * Encodes a citation as an annotation. This API's own citations stay unchanged. Another vendor's becomes a
 * URL citation of the whole text so far, since the exact range is unknown. The result is undefined without a
 * URL.
 */
export function encodeCitation({ issuer, raw, url, title }: Citation, textLength: number): unknown {
  if (issuer === 'responses') return raw;
  if (url === undefined) return undefined;
  return { type: 'url_citation', url, title: title ?? '', start_index: 0, end_index: textLength };
}
