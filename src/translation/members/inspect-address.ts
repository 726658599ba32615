import { isNumericHost } from '../../base/lib/plain-host.ts';
import { isPrivateName } from '../../base/lib/private-host.ts';
import { MEDIA_URLS } from '../canonical/reserved-field.ts';
import type { Inspection } from './inspection.ts';

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;
/** Only this many characters are searched for a scheme, since an image may take megabytes. */
const HEAD = 64;

/**
 * Inspects the address of an image or document.
 * Data URLs are harmless, and a text that is not a URL is left to its reader.
 */
export function inspectAddress(text: string, inspection: Inspection): void {
  const scheme = SCHEME.exec(text.slice(0, HEAD))?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'data') return;
  const problem = problemOf(scheme, text);
  if (problem === undefined) inspection.reserve(MEDIA_URLS);
  else inspection.note({ kind: 'address', problem, path: inspection.path() });
}

function problemOf(scheme: string, text: string): string | undefined {
  if (scheme !== 'http' && scheme !== 'https') return 'must be an HTTP(S) URL or a data URL';
  const url = URL.parse(text);
  if (url === null) return 'is not a valid URL';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (isNumericHost(url.hostname)) return 'must use a host name, not an IP address';
  return isPrivateName(url.hostname) ? 'must use a public host name' : undefined;
}
