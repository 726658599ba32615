import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Route } from '../../edge/http/route.ts';
import type { SecurityTxtSettings } from '../../settings/config/security-txt-schema.ts';

/** Serves the addresses for reports of vulnerabilities (RFC 9116). */
export const securityTxtRoute = (clock: Clock): Route => ({
  method: 'GET',
  path: '/.well-known/security.txt',
  describe: {
    group: 'Documentation',
    summary: 'Returns the addresses for reports of vulnerabilities',
    answer:
      'A file in the form of RFC 9116. The status is 404 if the operator has set no address, or if the file has expired.',
    answerType: 'text/plain',
    errors: ['not_found'],
  },
  handle({ snapshot }) {
    const settings = snapshot.config.server.security_txt;
    const body = securityTxt(settings, clock.now());
    if (body === undefined) return new Refusal('not_found');
    return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  },
});

/**
 * Writes the file. Returns undefined without an address, and from the day of `expires` on, since readers must
 * not use a file that is out of date.
 */
function securityTxt({ contact, expires, policy }: SecurityTxtSettings, now: number): string | undefined {
  if (contact.length === 0 || expires === null || now >= Date.parse(expires)) return undefined;
  const fields = [
    ...contact.map((address) => `Contact: ${address}`),
    `Expires: ${expires}T00:00:00Z`,
    ...(policy === null ? [] : [`Policy: ${policy}`]),
    'Preferred-Languages: en',
  ];
  return `${fields.join('\n')}\n`;
}
