import { listOf, objectOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { TextPart } from '../../canonical/part.ts';
import { cacheOf } from './cache-control.ts';
import { citationOf } from './decode-block.ts';

export function decodeText(block: Fields): TextPart {
  const citations = listOf(block.citations).filter(isTheirs).map(citationOf);
  return {
    kind: 'text',
    text: String(block.text),
    ...(citations.length > 0 && { citations }),
    ...cacheOf(block),
  };
}

/**
 * Returns false for a citation that the gateway made from another vendor's. Its index is empty, and this
 * vendor would refuse it.
 */
const isTheirs = (citation: unknown): boolean => objectOf(citation).encrypted_index !== '';

/** Decodes content that is a string or a list of blocks, of which only the texts are read. */
export function decodeTexts(content: unknown): TextPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return listOf(content)
    .map(objectOf)
    .filter(({ type }) => type === 'text')
    .map(decodeText);
}
