import { posix } from 'node:path';
import { placeOf } from './source-files.ts';

const CODE_OR_LINK = /(^ *```[^\n]*\n[\s\S]*?^ *```|`[^`\n]*`)|\]\(([^)\s#]*)(#[^)\s]*)?\)/gm;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/;

/** Rewrites the links of a document so that they lead to places of the site. Code is not changed. */
export function rewriteLinks(text: string, source: string): string {
  const from = posix.dirname(placeOf(source)!);
  return text.replaceAll(CODE_OR_LINK, (whole, code: string | undefined, to = '', anchor = '') => {
    if (code !== undefined || to === '' || HAS_SCHEME.test(to)) return whole;
    const place = placeOf(posix.normalize(posix.join(posix.dirname(source), to)));
    return place === undefined ? whole : `](${posix.relative(from, place)}${anchor})`;
  });
}
