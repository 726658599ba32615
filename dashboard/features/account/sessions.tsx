import type { SessionsView } from '../../../src/console/dashboard/profile-schema.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { List } from '../../components/list.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
import { browserName } from './browser-name.ts';

/** Shows the sessions of the person. */
export function Sessions() {
  const query = useQuery<SessionsView>('/me/sessions');
  const end = useAction(async (id?: string) => {
    await call('DELETE', id === undefined ? '/me/sessions' : `/me/sessions/${id}`);
    toast(id === undefined ? 'All other sessions have ended.' : 'The session has ended.');
    await query.refresh();
  });
  const hasOthers = query.data?.data.some(({ is_this }) => !is_this) ?? false;
  const endAll = (
    <Button isDisabled={!hasOthers} isRunning={end.isRunning} onClick={() => void end.run()}>
      End all others
    </Button>
  );
  const columns: readonly Column<SessionsView['data'][number]>[] = [
    textColumn('browser', 'Browser', ({ browser, is_this }) => (
      <div>
        {browserName(browser)} {is_this && <Badge tone="accent">This one</Badge>}
      </div>
    )),
    textColumn('address', 'Address', ({ address }) => address || '–'),
    timeColumn('since', 'Since', ({ created_at }) => created_at),
    buttonColumn('actions', 'Actions', ({ id, is_this, browser }) =>
      is_this ? null : (
        <Button
          kind="quiet"
          label={`End the session in ${browserName(browser)}`}
          isDisabled={end.isRunning}
          onClick={() => void end.run(id)}
        >
          End
        </Button>
      ),
    ),
  ];
  return (
    <Section title="Sessions" lead="The browsers in which you are signed in." actions={endAll}>
      {end.problem && <ProblemNotice problem={end.problem} />}
      <List query={query} caption="List of sessions" columns={columns} />
    </Section>
  );
}
