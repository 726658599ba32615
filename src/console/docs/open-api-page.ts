import packageFile from '../../../package.json' with { type: 'json' };
import type { Route } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { exampleModels } from './example-models.ts';
import { openApiDocument } from './open-api-document.ts';
import type { ServedPage } from './served-page.ts';

/** Builds `/openapi.json`. `{origin}` stays as a placeholder. */
export const openApiPage = (snapshot: Snapshot, routes: readonly Route[]): ServedPage => ({
  text: JSON.stringify(
    openApiDocument({
      routes,
      names: snapshot.names,
      url: '{origin}',
      version: packageFile.version,
      examples: exampleModels(snapshot),
    }),
  ),
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
});
