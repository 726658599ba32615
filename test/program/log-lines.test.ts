import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..', '..');
const page = readFileSync(join(root, 'docs', 'operations', 'log-lines.md'), 'utf8');

/** A call that writes a line, with its event. The event can follow a level, or be a choice between two. */
const CALL =
  /\b(?:logger|this|#?report|#?log|logFailureOf)(?:\.(?:debug|info|warn|error|line))?\(\s*(?:(?:level|'(?:debug|info|warn|error)'|isFinal \? 'error' : 'warn'),\s*|[^'()]*(?:'clock_skew')? \? )?'([a-z-]+)'(?: : '([a-z-]+)')?/g;

/** The line of a request, which has a page of its own, levels, and the names of tasks that fail. */
const NO_EVENTS = new Set(
  'request debug info warn error begin drains era look native quarantines run shares sweep'.split(' '),
);
const NOT_LOGGING = /\.test\.ts$|\/testing\/|^(?:simulator|translation)\//;

const paths = [...new Glob('**/*.ts').scanSync(join(root, 'src'))].filter((path) => !NOT_LOGGING.test(path));
const events = new Set(
  paths.flatMap((path) =>
    [...readFileSync(join(root, 'src', path), 'utf8').matchAll(CALL)]
      .flatMap(([, first, second]) => [first, second])
      .filter((event) => event !== undefined && !NO_EVENTS.has(event)),
  ),
);
const documented = [...page.matchAll(/^\| (`[^|]*) \| /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([a-z-]+)`/g)].map(([, event]) => event),
);

test('docs/operations/log-lines.md lists every event of the log once', () => {
  expect(documented.length).toBeGreaterThan(60);
  expect(documented.toSorted()).toEqual([...events].toSorted());
});
