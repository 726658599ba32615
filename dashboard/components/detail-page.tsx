import type { ComponentChildren } from 'preact';
import { Loaded, type LoadedProps } from './loaded.tsx';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';

/** A page about one thing: its title, the content of an answer, and what does not depend on the answer. */
export const DetailPage = <Answer,>({
  query,
  skeleton,
  children,
  foot,
  ...header
}: PageHeaderProps & LoadedProps<Answer> & { foot?: ComponentChildren }) => (
  <>
    <PageHeader {...header} />
    <Loaded query={query} skeleton={skeleton}>
      {children}
    </Loaded>
    {foot}
  </>
);
