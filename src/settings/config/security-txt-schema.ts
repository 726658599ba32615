import type { Static } from 'typebox';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { Type } from '../../base/schema/type.ts';
import { dateProblems } from './date-problems.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { problemIf } from './problem-if.ts';
import { nullable, section } from './schema-parts.ts';

export const SecurityTxtSchema = section(
  {
    contact: Type.Array(Type.String(namePatterns.contactAddress), {
      default: [],
      maxItems: 16,
      description:
        'Addresses for reports of vulnerabilities, the preferred one first, for example mailto:security@example.com. Without one, `/.well-known/security.txt` answers 404.',
    }),
    expires: nullable(Type.String(namePatterns.calendarDate), {
      description:
        'Date (YYYY-MM-DD) from which the file is out of date. It is required with `contact`. From this date on, the file is not served.',
    }),
    policy: nullable(Type.String(namePatterns.secureWebAddress), {
      description: 'Address of the page that says how reports are handled.',
    }),
  },
  { description: 'The file `/.well-known/security.txt` (RFC 9116).' },
);

export type SecurityTxtSettings = DeepReadonly<Static<typeof SecurityTxtSchema>>;

/** Finds a date of expiry that does not exist, or that is missing although there is a contact. */
export function securityTxtProblems({ contact, expires }: SecurityTxtSettings): SchemaProblem[] {
  const path = ['server', 'security_txt', 'expires'];
  return expires === null
    ? problemIf(contact.length > 0, path, 'is required with contact')
    : dateProblems(expires, path);
}
