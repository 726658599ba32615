import type { ComponentType } from 'preact';
import type { PagePath } from '../../src/console/site/page-paths.ts';

/**
 * The visitors that a page is for. `signed-out`: a signed-in person is sent on. `member`: a person in an
 * organization. `operator`: a person with a role as an operator.
 */
type PageAccess = 'anyone' | 'signed-out' | 'person' | 'member' | 'operator';

export type PageProps = {
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>;
};

export type Page = {
  path: PagePath;
  title: string;
  access: PageAccess;
  /** `bare` has no navigation. The default is `full` for signed-in people. */
  frame?: 'full' | 'bare';
  load: () => Promise<ComponentType<PageProps>>;
};

export type FoundPage = { page: Page; params: PageProps['params'] };
