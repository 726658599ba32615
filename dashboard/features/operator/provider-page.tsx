import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import type { PageProps } from '../../app/page.ts';
import { mayOperate } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { HealthStatus } from './health-status.tsx';
import { OPERATOR } from './operator-api.ts';
import type { ProviderRow } from './rows.ts';
import { TestResult } from './test-result.tsx';
import { useProviderTest } from './use-provider-test.ts';

const PATH = `${OPERATOR}/providers`;

const sourceWords: Readonly<Record<ProviderRow['source'], string>> = {
  file: 'the configuration file, where it is changed',
  environment: 'environment variables, where it is changed',
  'built-in': 'built in, without a credential',
  found: 'found on this machine',
  stored: 'stored by form or API',
};

/** A provider: where its settings come from, a real test call, and the form if the provider is stored. */
export function ProviderPage({ params }: PageProps) {
  const path = `${PATH}/${encodeURIComponent(params.id!)}`;
  const provider = useQuery<ProviderRow>(path);
  return (
    <>
      <PageHeader title={params.id!} lead="A provider of this installation." />
      <Loaded query={provider}>
        {(row) => (
          <>
            <ProviderFacts provider={row} />
            {mayOperate.value && <TestSection path={path} />}
            {mayOperate.value && row.source === 'stored' && <ChangeSection path={path} provider={row} />}
          </>
        )}
      </Loaded>
    </>
  );
}

const ProviderFacts = ({ provider }: { provider: ProviderRow }) => (
  <Section title="State" isCard>
    {provider.fault && (
      <Notice kind="error" title={provider.fault.message ?? 'Calls fail'}>
        {provider.fault.remedy}
      </Notice>
    )}
    <Facts
      facts={[
        ['Health', <HealthStatus state={provider.health} />],
        ['Settings', sourceWords[provider.source]],
        ['Address', <code>{provider.base_url}</code>],
        ['Wires', provider.wires.join(', ')],
        ['Credential', credentialText(provider)],
        provider.credential?.set_at != null && ['Set', <Time at={provider.credential.set_at} isRelative />],
      ]}
    />
  </Section>
);

function credentialText({ credential }: ProviderRow): string {
  if (!credential) return 'none';
  return credential.hint ? `${credential.kind} …${credential.hint}` : credential.kind;
}

function TestSection({ path }: { path: string }) {
  const { test, run } = useProviderTest(`${path}/test`, {});
  return (
    <Section
      title="Test"
      lead="Asks the provider for its models, and for one short answer."
      actions={
        <Button onClick={() => void run.run()} isRunning={run.isRunning}>
          Test
        </Button>
      }
    >
      {run.problem && <ProblemNotice problem={run.problem} />}
      {test && <TestResult test={test} />}
    </Section>
  );
}

function ChangeSection({ path, provider }: { path: string; provider: ProviderRow }) {
  return (
    <Section
      title="Change"
      isCard
      actions={
        <ConfirmButton
          label="Remove"
          title={`Remove ${provider.id}?`}
          isDangerous
          refreshes="/"
          done={`${provider.id} is removed.`}
          onConfirm={async () => {
            await call('DELETE', path);
            navigate('/operator/providers');
          }}
        >
          Its credential is deleted, and no request is sent to it any more.
        </ConfirmButton>
      }
    >
      <Form
        key={provider.revision}
        submitLabel="Save"
        refreshes={PATH}
        done="The provider is changed."
        onSubmit={({ base_url, api_key, max_concurrent }) =>
          call('PATCH', path, {
            revision: provider.revision,
            base_url,
            ...(api_key && { api_key }),
            max_concurrent: max_concurrent ? Number(max_concurrent) : null,
          })
        }
      >
        <Input label="Base URL" name="base_url" type="url" isRequired value={provider.base_url} />
        <Input
          label="New API key"
          name="api_key"
          type="password"
          autocomplete="off"
          hint="Leave it empty to keep the credential. Only an owner can keep it for another server."
        />
        <Input
          label="Most concurrent requests"
          name="max_concurrent"
          type="number"
          min={1}
          value={provider.max_concurrent ?? undefined}
        />
      </Form>
    </Section>
  );
}
