import { useState } from 'preact/hooks';
import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { storeCheckedModels } from './new-models.ts';
import { OfferedModels } from './offered-models.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import { bodyOfDraft, emptyProviderDraft, type ProviderDraft } from './provider-draft.ts';
import { AddressFields, CredentialFields } from './provider-fields.tsx';
import { providerHref } from './provider-href.ts';
import type { ProviderRow } from './rows.ts';
import { TestResult } from './test-result.tsx';
import { useProviderTest } from './use-provider-test.ts';

const PATH = `${OPERATOR}/providers`;

/** Sets up a provider: an address, a credential, a real test call, and its models. */
export function NewProviderPage() {
  const providers = useQuery<ListOf<ProviderRow>>(PATH);
  return (
    <>
      <PageHeader
        title="Add provider"
        lead="It serves as soon as it is saved. Its key is encrypted and never shown."
      />
      <Loaded query={providers}>{({ data }) => <NewProvider providers={data} />}</Loaded>
    </>
  );
}

function NewProvider({ providers }: { providers: readonly ProviderRow[] }) {
  const [draft, setDraft] = useState<ProviderDraft>(emptyProviderDraft);
  const change = (fields: Partial<ProviderDraft>) => setDraft((old) => ({ ...old, ...fields }));
  const body = bodyOfDraft(draft);
  const { test, run } = useProviderTest(`${PATH}/test`, body);
  const builtIn = providers.filter(({ id, source }) => source === 'built-in' && id !== 'simulator');
  return (
    <Section title="Provider" isCard>
      <Form
        submitLabel="Save"
        refreshes="/"
        done={`The provider ${body.id} serves.`}
        actions={
          <Button onClick={() => void run.run()} isRunning={run.isRunning}>
            Test
          </Button>
        }
        onSubmit={async (values) => {
          await call('POST', PATH, body);
          await storeCheckedModels(body.id, values);
          navigate(providerHref(body.id));
        }}
      >
        <Select
          label="Provider"
          isRequired={false}
          value={draft.builtIn}
          onChange={(id) => change({ builtIn: id })}
          options={[
            { value: '', label: 'Another address' },
            ...builtIn.map(({ id }) => ({ value: id, label: id })),
          ]}
        />
        <AddressFields draft={draft} change={change} />
        <CredentialFields draft={draft} change={change} />
        {run.problem && <ProblemNotice problem={run.problem} />}
        {test && <TestResult test={test} />}
        {test?.ok && <OfferedModels models={test.models} isBuiltIn={draft.builtIn !== ''} />}
      </Form>
    </Section>
  );
}
