import type { Route } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { exampleModels } from './example-models.ts';
import { fillIn } from './fill-in.ts';

export type DocumentFacts = { routes: readonly Route[]; snapshot: Snapshot };
export type TextDocument = { text: string; headers: Readonly<Record<string, string>> };

/** Returns a document for readers that are programs, with the names of the server filled in. */
export const textDocument = (
  { snapshot }: Pick<DocumentFacts, 'snapshot'>,
  type: string,
  text: string,
): TextDocument => ({
  text: fillIn(text, { brand: snapshot.names.brand, ...exampleModels(snapshot) }),
  headers: { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' },
});
