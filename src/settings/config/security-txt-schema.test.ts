import { expect, test } from 'bun:test';
import { formatProblem } from './config-problem.ts';
import { parseConfig } from './load-config.ts';

const problemsOf = (settings: string): string => {
  const text = `server: { security_txt: ${settings} }\n`;
  const loaded = parseConfig({ text, file: 'tollgate.yaml', environment: {} });
  return 'problems' in loaded ? loaded.problems.map(formatProblem).join('\n') : '';
};

test('security.txt takes contacts with a date, and refuses anything else by field', () => {
  expect(problemsOf('{ contact: ["mailto:a@b.example", "tel:+1-555-0100"], expires: 2027-06-30 }')).toBe('');
  expect(problemsOf('{ contact: ["mailto:a@b.example"] }')).toContain('expires: is required with contact');
  expect(problemsOf('{ expires: "2027-02-30" }')).toContain('expires: must exist; there is no 2027-02-30');
  expect(problemsOf('{ expires: "2027" }')).toContain('expires: must be a date of the form 2027-06-30');
  const both = problemsOf('{ contact: [a@b.example], policy: "http://b.example" }');
  expect(both).toContain('contact[0]: must be a mailto:, https: or tel: address');
  expect(both).toContain('policy: must be an https URL without credentials');
});
