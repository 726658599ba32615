import { LinkButton } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';

/** Replaces a page that does not exist, or that is not for the person. */
export const NotFound = () => (
  <>
    <PageHeader title="Page not found" />
    <EmptyState
      title="There is nothing at this address"
      action={<LinkButton href="/">Go to the overview</LinkButton>}
    >
      The address may be incomplete, or the page is not open to you.
    </EmptyState>
  </>
);
