import type { SessionsView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { browserName } from './browser-name.ts';

/** Where the person is signed in. */
export function Sessions() {
  const query = useQuery<SessionsView>('/me/sessions');
  const end = useAction(async (id?: string) => {
    await call('DELETE', id === undefined ? '/me/sessions' : `/me/sessions/${id}`);
    toast(id === undefined ? 'All other sessions have ended.' : 'The session has ended.');
    await query.refresh();
  });
  const others = query.data?.data.some(({ is_this }) => !is_this) ?? false;
  const endAll = (
    <Button isDisabled={!others} isRunning={end.isRunning} onClick={() => void end.run()}>
      End all others
    </Button>
  );
  return (
    <Section title="Sessions" lead="The browsers in which you are signed in." actions={endAll}>
      {end.problem && <ProblemNotice problem={end.problem} />}
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption="List of sessions"
            rows={data}
            rowKey={({ id }) => id}
            columns={[
              {
                ...{ key: 'browser', header: 'Browser' },
                cell: ({ browser, is_this }) => (
                  <div>
                    {browserName(browser)} {is_this && <Badge tone="accent">This one</Badge>}
                  </div>
                ),
              },
              { key: 'address', header: 'Address', cell: ({ address }) => address || '–' },
              {
                ...{ key: 'since', header: 'Since' },
                cell: (row) => <Time at={row.created_at} isRelative />,
              },
              {
                ...{ key: 'actions', header: 'Actions', hidesHeader: true },
                cell: ({ id, is_this, browser }) =>
                  !is_this && (
                    <Button
                      kind="quiet"
                      label={`End the session in ${browserName(browser)}`}
                      isDisabled={end.isRunning}
                      onClick={() => void end.run(id)}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
