import type { PageProps } from '../../app/page.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatBytes, formatCredits } from '../../components/format.ts';
import { formatDate } from '../../components/format-time.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountEntries } from './account-entries.tsx';
import { AccountKeys } from './account-keys.tsx';
import { ClearShortfall } from './clear-shortfall.tsx';
import { GoneStatus } from './health-status.tsx';
import { accountPath } from './operator-api.ts';
import { PayloadSwitch } from './payload-switch.tsx';
import { RefusalCauses } from './refusal-causes.tsx';
import type { AccountRow } from './rows.ts';

/** One account: its balances, its keys and its ledger, with everything that an operator can change. */
export function AccountPage({ params }: PageProps) {
  const account = useQuery<AccountRow>(accountPath(params.id!));
  return (
    <DetailPage
      query={account}
      title={account.data?.name ?? 'Account'}
      lead={<code>{params.id}</code>}
      back={{ href: '/operator/accounts', label: 'Accounts' }}
      actions={
        <>
          <CopyButton text={params.id!} label="Copy id" />
          <LinkButton href={`/operator/traffic?account=${params.id}&span=7d`}>Traffic</LinkButton>
          <LinkButton href={`/operator/requests?account=${params.id}`}>Requests</LinkButton>
          <LinkButton href={`/operator/audit?target=${params.id}`}>Changes</LinkButton>
        </>
      }
    >
      {(data) => <Details account={data} />}
    </DetailPage>
  );
}

const Details = ({ account }: { account: AccountRow }) => (
  <>
    {account.ledger_fault && (
      <Notice kind="error" title="This account is not served">
        {account.ledger_fault.reason} <a href="/operator/ledger">Verify the ledger</a>, then repair it.
      </Notice>
    )}
    {account.hosted_tools_stopped && (
      <Notice kind="warning" title="Hosted tools are stopped" actions={<ClearShortfall account={account} />}>
        Charges of the last 30 days were below their cost. Hosted tools are removed from requests, or refused.
      </Notice>
    )}
    <Balances account={account} />
    <Section title="Account" isCard>
      <Facts
        facts={[
          ['Status', <GoneStatus state={account.status} />],
          ['Plan', account.pending_plan ? `${account.plan}, then ${account.pending_plan}` : account.plan],
          ['Email', emailText(account)],
          ['Cycle', cycleText(account)],
          account.plan_overrides && ['Own figures', <code>{JSON.stringify(account.plan_overrides)}</code>],
        ]}
      />
      <AccountActions account={account} />
    </Section>
    <RefusalCauses account={account.id} />
    <AccountKeys accountId={account.id} />
    <PayloadSwitch accountId={account.id} />
    <AccountEntries accountId={account.id} />
  </>
);

const emailText = ({ email, email_verified }: AccountRow): string | null =>
  email && `${email}, ${email_verified ? 'verified' : 'not verified'}`;

const cycleText = ({ cycle_started_at, cycle_ends_at }: AccountRow): string =>
  `${formatDate(cycle_started_at)} to ${cycle_ends_at ? formatDate(cycle_ends_at) : 'no end'}`;

const Balances = ({ account }: { account: AccountRow }) => (
  <Stats>
    <Stat
      label="Credits used"
      value={formatCredits(account.credits.used)}
      note={account.credits.limit === null ? 'without a limit' : `of ${formatCredits(account.credits.limit)}`}
    />
    <Stat
      label="Purchased credit"
      value={formatCredits(account.purchased_credits)}
      {...(account.debt_credits > 0 && { note: `Debt of ${formatCredits(account.debt_credits)} credits` })}
    />
    <Stat label="Stored" value={formatBytes(account.stored.bytes)} />
  </Stats>
);
