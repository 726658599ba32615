import { textOf } from '../../../base/json/read-json.ts';
import type { Citation } from '../../canonical/part.ts';

/** Reads an annotation of a text: an address, a file or a place. */
export function citationOf(annotation: Record<string, unknown>): Citation {
  const url = textOf(annotation.url) ?? textOf(annotation.document_uri);
  const title = textOf(annotation.title) ?? textOf(annotation.file_name) ?? textOf(annotation.name);
  return {
    issuer: 'interactions',
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    raw: annotation,
  };
}
