import { LinkButton } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { operatorRole } from './session.ts';

/** Replaces a page of an organization for a person who is in none. */
export const NoOrganization = () => (
  <>
    <PageHeader title="No organization" />
    <EmptyState
      title="You are in no organization"
      action={operatorRole.value && <LinkButton href="/operator">Go to the operator pages</LinkButton>}
    >
      Keys, usage and credits belong to an organization. Ask an owner of one for an invitation.
    </EmptyState>
  </>
);
