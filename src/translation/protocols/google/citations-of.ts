import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Citation } from '../../canonical/part.ts';

const PLACES = ['web', 'retrievedContext', 'maps'] as const;

/** Returns the sources of a candidate: search results that support it, and passages that it recites. */
export function citationsOf(candidate: Record<string, unknown>): Citation[] {
  const grounding = objectOf(candidate.groundingMetadata);
  const chunks = listOf(grounding.groundingChunks);
  const supports = listOf(grounding.groundingSupports).map(objectOf);
  const supported = supports.flatMap((support) =>
    listOf(support.groundingChunkIndices).map((index) => citationOf(chunks[Number(index)], support)),
  );
  const grounded = supports.length > 0 ? supported : chunks.map((chunk) => citationOf(chunk, undefined));
  const recited = objectOf(candidate.citationMetadata);
  return [...grounded, ...listOf(recited.citationSources ?? recited.citations).map(recitationOf)];
}

function citationOf(chunk: unknown, support: Record<string, unknown> | undefined): Citation {
  const fields = objectOf(chunk);
  const place = objectOf(PLACES.map((name) => fields[name]).find((value) => value !== undefined));
  return {
    issuer: 'google',
    ...named('url', place.uri),
    ...named('title', place.title),
    ...named('citedText', objectOf(support?.segment).text),
    raw: support === undefined ? { chunk } : { chunk, support },
  };
}

function recitationOf(source: unknown): Citation {
  const { uri, title } = objectOf(source);
  return { issuer: 'google', ...named('url', uri), ...named('title', title), raw: source };
}

const named = (name: 'url' | 'title' | 'citedText', value: unknown) =>
  textOf(value) === undefined ? {} : { [name]: value as string };
