import { expect, test } from 'bun:test';
import { problemsOf } from './testing/config-of.ts';

const problemsWith = (settings: string): string =>
  problemsOf(`server: { security_txt: ${settings} }\n`).join('\n');

test('security.txt takes only contacts with a date', () => {
  expect(problemsWith('{ contact: ["mailto:a@b.example", "tel:+1-555-0100"], expires: 2027-06-30 }')).toBe(
    '',
  );
  expect(problemsWith('{ contact: ["mailto:a@b.example"] }')).toContain('expires: is required with contact');
  expect(problemsWith('{ expires: "2027-02-30" }')).toContain('expires: must exist; there is no 2027-02-30');
  expect(problemsWith('{ expires: "2027" }')).toContain('expires: must be a date of the form 2027-06-30');
  const both = problemsWith('{ contact: [a@b.example], policy: "http://b.example" }');
  expect(both).toContain('contact[0]: must be a mailto:, https: or tel: address');
  expect(both).toContain('policy: must be an https URL without credentials');
});
