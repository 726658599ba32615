import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Html } from './html.ts';
import type { Operation } from './operation.ts';
import { authenticationSection } from './sections/authentication.ts';
import { creditsSection } from './sections/credits.ts';
import { errorsSection } from './sections/errors.ts';
import { headersSection } from './sections/headers.ts';
import { limitsSection } from './sections/limits.ts';
import { quickStartSection } from './sections/quick-start.ts';

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
  {
    id: 'quick-start',
    title: 'Quick start',
    render: ({ paths, catalog }) => quickStartSection(paths, catalog),
  },
  {
    id: 'authentication',
    title: 'Authentication',
    render: ({ operations, snapshot }) => authenticationSection(operations, snapshot.names),
  },
];

/** The sections after the endpoints. */
export const closingSections: readonly Section[] = [
  { id: 'credits', title: 'Credits', render: ({ snapshot }) => creditsSection(snapshot) },
  { id: 'headers', title: 'Headers', render: ({ snapshot }) => headersSection(snapshot.names) },
  { id: 'errors', title: 'Errors', render: ({ operations }) => errorsSection(stylesOf(operations)) },
  { id: 'limits', title: 'Limits', render: ({ snapshot }) => limitsSection(snapshot) },
];

/** Returns the styles of errors. The reverse order of their names puts OpenAI's first. */
const stylesOf = (operations: readonly Operation[]): EnvelopeStyle[] =>
  [...new Set(operations.map(({ style }) => style))].sort().reverse();
