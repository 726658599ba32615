import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Citation } from '../../canonical/part.ts';

export function citationOf(raw: Record<string, unknown>): Citation {
  const url = textOf(objectOf(objectOf(raw.location).web).url);
  const title = textOf(raw.title);
  const cited = listOf(raw.sourceContent).map((content) => textOf(objectOf(content).text) ?? '');
  return {
    issuer: 'bedrock',
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(cited.length === 0 ? {} : { citedText: cited.join('') }),
    raw,
  };
}
