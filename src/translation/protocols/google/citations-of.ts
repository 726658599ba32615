import { present } from '../../../base/json/present.ts';
import { listOf, numberIn, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Citation } from '../../canonical/part.ts';

/** The members of a chunk that can hold its source. */
const PLACES = ['web', 'retrievedContext', 'maps'] as const;

/** Returns the sources of a candidate: search results that support it, and passages that it recites. */
export function citationsOf(candidate: Fields): Citation[] {
  const grounding = objectOf(candidate.groundingMetadata);
  const chunks = listOf(grounding.groundingChunks);
  const supports = listOf(grounding.groundingSupports).map(objectOf);
  const supported = supports.flatMap((support) =>
    listOf(support.groundingChunkIndices).map((index) => citationOf(chunks[numberIn(index)], support)),
  );
  const grounded = supports.length > 0 ? supported : chunks.map((chunk) => citationOf(chunk, undefined));
  const recited = objectOf(candidate.citationMetadata);
  return [...grounded, ...listOf(recited.citationSources ?? recited.citations).map(recitationOf)];
}

function citationOf(chunk: unknown, support: Fields | undefined): Citation {
  const fields = objectOf(chunk);
  const place = objectOf(PLACES.map((name) => fields[name]).find((value) => value !== undefined));
  return {
    issuer: 'google',
    ...present({
      url: textOf(place.uri),
      title: textOf(place.title),
      citedText: textOf(objectOf(support?.segment).text),
    }),
    raw: support === undefined ? { chunk } : { chunk, support },
  };
}

function recitationOf(source: unknown): Citation {
  const { uri, title } = objectOf(source);
  return { issuer: 'google', ...present({ url: textOf(uri), title: textOf(title) }), raw: source };
}
