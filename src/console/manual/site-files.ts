import packageFile from '../../../package.json' with { type: 'json' };
import { escapeHtml } from '../../base/lib/escape-html.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { asFile } from '../docs/docs-addresses.ts';
import { docsPage } from '../docs/docs-page.ts';
import { llmsText } from '../docs/llms-text.ts';
import { markdownPage } from '../docs/markdown-page.ts';
import { openApiPage } from '../docs/open-api-page.ts';
import { listedPages } from './listed-pages.ts';
import { ManualSite } from './manual-site.ts';

export type WrittenFile = { place: string; text: string };

const REFERENCE = 'reference.html';
const REFERENCE_MARKDOWN = 'reference.md';
const OPEN_API = 'openapi.json';
const LIST = 'llms.txt';

const addresses = { markdown: REFERENCE_MARKDOWN, openApi: OPEN_API, reference: REFERENCE, guides: '' };

/**
 * Makes all files of the site, the API reference included. `address` is the server that the examples of the
 * reference call.
 */
export function* siteFiles(facts: {
  routes: readonly Route[];
  snapshot: Snapshot;
  address: string;
}): Generator<WrittenFile> {
  const { routes, snapshot, address } = facts;
  const { version } = packageFile;
  const site = new ManualSite({ routes, reference: REFERENCE, version });
  for (const place of site.places()) yield { place, text: site.file(place)!.text };
  const filled = (text: string, escaped: string): string => text.replaceAll('{origin}', () => escaped);
  const page = docsPage({ routes, snapshot, version, addresses: asFile });
  yield { place: REFERENCE, text: filled(page.text, escapeHtml(address)) };
  yield { place: REFERENCE_MARKDOWN, text: filled(markdownPage({ routes, snapshot }).text, address) };
  yield { place: OPEN_API, text: filled(openApiPage(snapshot, routes).text, address) };
  const list = llmsText({ routes, snapshot, listed: listedPages, addresses });
  yield { place: LIST, text: filled(list.text, address) };
}
