import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Html } from './html.ts';
import type { Operation } from './operation.ts';
import { authentication } from './sections/authentication.ts';
import { credits } from './sections/credits.ts';
import { errorSection } from './sections/errors.ts';
import { headerSection } from './sections/headers.ts';
import { limits } from './sections/limits.ts';
import { quickStart } from './sections/quick-start.ts';

/** The facts that sections are written from. */
export type DocsFacts = {
  operations: readonly Operation[];
  /** The paths of all operations. */
  paths: ReadonlySet<string>;
  snapshot: Snapshot;
  /** The address of the list of models. */
  catalog: string;
};

/** A section of the page, with its entry of the contents. */
export type Section = { id: string; title: string; render: (facts: DocsFacts) => Html };

/** The sections before the guides and the endpoints. */
export const openingSections: readonly Section[] = [
  { id: 'quick-start', title: 'Quick start', render: ({ paths, catalog }) => quickStart(paths, catalog) },
  {
    id: 'authentication',
    title: 'Authentication',
    render: ({ operations, snapshot }) => authentication(operations, snapshot.names),
  },
];

/** The sections after the endpoints. */
export const closingSections: readonly Section[] = [
  { id: 'credits', title: 'Credits', render: ({ snapshot }) => credits(snapshot) },
  { id: 'headers', title: 'Headers', render: ({ snapshot }) => headerSection(snapshot.names) },
  { id: 'errors', title: 'Errors', render: ({ operations }) => errorSection(stylesOf(operations)) },
  { id: 'limits', title: 'Limits', render: ({ snapshot }) => limits(snapshot) },
];

/** Returns the styles of errors. The reverse order of their names puts OpenAI's first. */
const stylesOf = (operations: readonly Operation[]): EnvelopeStyle[] =>
  [...new Set(operations.map(({ style }) => style))].sort().reverse();
