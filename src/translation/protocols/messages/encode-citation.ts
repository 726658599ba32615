import type { Citation } from '../../canonical/part.ts';

/**
 * Encodes a citation. Another vendor's citation becomes a web search result, or is dropped if it has no URL.
 */
export function encodeCitation({ issuer, url, title, citedText, raw }: Citation): unknown {
  if (issuer === 'messages') return raw;
  if (url === undefined) return undefined;
  return {
    type: 'web_search_result_location',
    cited_text: citedText ?? '',
    encrypted_index: '',
    title: title ?? null,
    url,
  };
}
