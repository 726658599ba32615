import { present } from '../../../base/json/present.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Citation } from '../../canonical/part.ts';

/** Reads a citation. Only sources of the web have a URL. The cited text arrives in pieces. */
export function citationOf(raw: Fields): Citation {
  const pieces = listOf(raw.sourceContent).map((content) => textOf(objectOf(content).text) ?? '');
  return {
    issuer: 'bedrock',
    ...present({
      url: textOf(objectOf(objectOf(raw.location).web).url),
      title: textOf(raw.title),
      citedText: pieces.length === 0 ? undefined : pieces.join(''),
    }),
    raw,
  };
}
