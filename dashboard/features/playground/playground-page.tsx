import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Playground } from './playground.tsx';

const lead = 'Requests from this page cost credits of the organization, and its limits apply.';

/** The page on which developers and owners send requests without a key of their own. */
export function PlaygroundPage() {
  const isAllowed = hasRole('developer');
  const options = useQuery<PlaygroundOptions>(isAllowed ? inOrganization('/playground') : null);
  if (!isAllowed) return <NotAllowed />;
  return (
    <Loaded query={options}>
      {(answer) =>
        answer.models.length === 0 ? (
          <NoModels />
        ) : (
          <Playground key={organization.value?.id} options={answer} lead={lead} />
        )
      }
    </Loaded>
  );
}

const NotAllowed = () => (
  <>
    <PageHeader title="Playground" lead={lead} />
    <EmptyState title="Your role cannot send requests">
      Requests cost credits. Ask an owner of the organization for the role developer.
    </EmptyState>
  </>
);

const NoModels = () => (
  <>
    <PageHeader title="Playground" lead={lead} />
    <EmptyState title="There is no model to try" action={<LinkButton href="/models">Models</LinkButton>}>
      No model of the catalog can be called now. The operator configures models and providers.
    </EmptyState>
  </>
);
