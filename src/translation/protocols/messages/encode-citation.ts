import type { Citation } from '../../canonical/part.ts';

/** A foreign source becomes what this protocol calls a search result; without an address it has no name here. */
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
