import { queryValue, withParameters } from '../../app/address.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { AlertTable } from './alert-table.tsx';
import { Findings } from './findings.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { AlertRow, Doctor, MailState } from './rows.ts';
import { TokenSection } from './token-section.tsx';

/** The checks of this server, its alerts, its mail and the admin tokens. */
export function StatusPage() {
  const doctor = useQuery<Doctor>(`${OPERATOR}/doctor`, { pollMs: 30_000 });
  const mail = useQuery<MailState>(`${OPERATOR}/mail`, { pollMs: 30_000 });
  const alerts = useQuery<ListOf<AlertRow>>(
    withParameters(`${OPERATOR}/alerts`, { after: queryValue('alert'), limit: '20' }),
  );
  const live = useAction(async () => {
    const { ok } = await call<Doctor>('POST', `${OPERATOR}/doctor/live`);
    toast(ok ? 'Every provider answered.' : 'A check failed. See the list.');
    await doctor.refresh();
  });
  const test = useAction(async () => {
    await call('POST', `${OPERATOR}/alerts/test`);
    refreshAnswers(`${OPERATOR}/alerts`);
  });
  return (
    <>
      <PageHeader
        title="Status"
        lead="What is wrong and what ends it, the worst first: faults of providers, and the checks of this node."
        actions={
          mayOperate.value && (
            <Button onClick={() => void live.run()} isRunning={live.isRunning}>
              Call each provider
            </Button>
          )
        }
      />
      {live.problem && <ProblemNotice problem={live.problem} />}
      <Findings doctor={doctor} />
      <Section title="Mail" isCard>
        <Loaded query={mail}>{(state) => <MailFacts mail={state} />}</Loaded>
      </Section>
      <Section
        title="Alerts"
        actions={
          mayOperate.value && (
            <Button onClick={() => void test.run()} isRunning={test.isRunning}>
              Send a test alert
            </Button>
          )
        }
      >
        {test.problem && <ProblemNotice problem={test.problem} />}
        <AlertTable query={alerts} />
        <Pagination next={alerts.data?.has_more ? alerts.data.data.at(-1)?.id : null} param="alert" />
      </Section>
      <TokenSection />
    </>
  );
}

const MailFacts = ({ mail }: { mail: MailState }) => (
  <Facts
    facts={[
      ['Server', mail.configured ? 'configured' : 'not configured: links are shown on the pages of people'],
      ['Waiting', formatNumber(mail.waiting)],
      ['Sent', formatNumber(mail.sent)],
      ['Failed', formatNumber(mail.failed)],
      mail.last_failure && [
        'Latest failure',
        <>
          <Time at={mail.last_failure.at} isRelative />: {mail.last_failure.error}
        </>,
      ],
    ]}
  />
);
