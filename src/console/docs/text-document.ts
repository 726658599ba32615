import type { Route } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { exampleModels } from './example-models.ts';
import { fillIn } from './fill-in.ts';
import type { ServedPage } from './served-page.ts';

export type DocumentFacts = { routes: readonly Route[]; snapshot: Snapshot };

/** Returns a document for readers that are programs, with the names of the server filled in. */
export const textDocument = (snapshot: Snapshot, type: string, text: string): ServedPage => ({
  text: fillIn(text, { brand: snapshot.names.brand, ...exampleModels(snapshot) }),
  headers: { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' },
});
