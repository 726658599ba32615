import type { PersonView } from '../../../src/console/admin/people-view.ts';
import type { PageProps } from '../../app/page.ts';
import { operatorRole } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
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
  const role = operatorRole.value;
  const title = person.data?.name || person.data?.email || 'Person';
  return (
    <DetailPage query={person} title={title} back={{ href: '/operator/people', label: 'People' }}>
      {(found) => {
        const part = { path, person: found, onChanged: person.refresh };
        return (
          <>
            <PersonFacts person={found} />
            {role !== 'read_only' && <PersonLinks {...part} />}
            {role === 'owner' && <OperatorRole {...part} />}
            {role === 'owner' && <PersonAddress {...part} />}
            {role === 'owner' && <PersonActions {...part} />}
          </>
        );
      }}
    </DetailPage>
  );
}

const PersonFacts = ({ person }: { person: PersonView }) => (
  <Section title="Sign-in" isCard>
    <Facts
      facts={[
        ['Email', `${person.email} (${person.email_verified ? 'verified' : 'not verified'})`],
        ['Id', <code>{person.id}</code>],
        ['Ways to sign in', person.sign_ins.map(nameOf).join(', ') || 'None'],
        ['Two-factor sign-in', person.two_factor ? 'On' : 'Off'],
        ['Open sessions', person.sessions],
        ['Since', <Time at={person.created_at} />],
        ['Organizations', person.organizations.length === 0 ? 'None' : <Organizations person={person} />],
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
