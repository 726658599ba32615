import { organization, person } from '../../app/session.ts';
import { PageHeader } from '../../components/page-header.tsx';

/** What a signed-in person sees first. */
export const Overview = () => (
  <PageHeader
    title="Overview"
    lead={`Signed in as ${person.value!.email}${organization.value ? ` in ${organization.value.name}` : ''}.`}
  />
);
