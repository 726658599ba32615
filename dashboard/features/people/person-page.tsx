import type { PersonView } from '../../../src/console/admin/people-view.ts';
import type { PageProps } from '../../app/page.ts';
import { operatorRole } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { OperatorRole } from './operator-role.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonAddress } from './person-address.tsx';
import { PersonLinks } from './person-links.tsx';

/** A person, with everything that operators do for one. */
export function PersonPage({ params }: PageProps) {
  const path = `/operator/people/${encodeURIComponent(params.id!)}`;
  const person = useQuery<PersonView>(path);
  const own = operatorRole.value;
  const title = person.data?.name || person.data?.email || 'Person';
  return (
    <>
      <PageHeader title={title} back={{ href: '/operator/people', label: 'People' }} />
      <Loaded query={person}>
        {(found) => (
          <>
            <PersonFacts person={found} />
            {own !== 'read_only' && <PersonLinks {...{ path }} person={found} onChanged={person.refresh} />}
            {own === 'owner' && <OperatorRole {...{ path }} person={found} onChanged={person.refresh} />}
            {own === 'owner' && <PersonAddress {...{ path }} person={found} onChanged={person.refresh} />}
            {own === 'owner' && <PersonActions {...{ path }} person={found} onChanged={person.refresh} />}
          </>
        )}
      </Loaded>
    </>
  );
}

const PersonFacts = ({ person }: { person: PersonView }) => (
  <Section title="Sign-in" isCard>
    <Facts
      facts={[
        { label: 'Email', value: `${person.email} (${person.email_verified ? 'verified' : 'not verified'})` },
        { label: 'Id', value: <code>{person.id}</code> },
        { label: 'Ways to sign in', value: person.sign_ins.map(nameOf).join(', ') || 'None' },
        { label: 'Two-factor sign-in', value: person.two_factor ? 'On' : 'Off' },
        { label: 'Open sessions', value: person.sessions },
        { label: 'Since', value: <Time at={person.created_at} /> },
        {
          label: 'Organizations',
          value: person.organizations.length === 0 ? 'None' : <Organizations person={person} />,
        },
      ]}
    />
  </Section>
);

const nameOf = (signIn: string): string => (signIn === 'credential' ? 'password' : signIn);

const Organizations = ({ person }: { person: PersonView }) => (
  <ul>
    {person.organizations.map(({ account_id, role }) => (
      <li key={account_id}>
        <a href={`/operator/accounts/${encodeURIComponent(account_id)}`}>{account_id}</a> ({role})
      </li>
    ))}
  </ul>
);
