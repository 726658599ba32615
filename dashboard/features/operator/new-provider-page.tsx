import { useState } from 'preact/hooks';
import { navigate } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { PICKED, publicName, storePicked } from './new-models.ts';
import { type List, OPERATOR } from './operator-api.ts';
import {
  bodyOfDraft,
  emptyDraft,
  hasRegion,
  type ProviderDraft,
  wayOptions,
  wireOptions,
} from './provider-draft.ts';
import type { ModelRow, ProviderRow, ProviderTest } from './rows.ts';
import { TestResult } from './test-result.tsx';

const PATH = `${OPERATOR}/providers`;

/** Sets up a provider: an address, a credential, a real test call, and its models. */
export function NewProviderPage() {
  const providers = useQuery<List<ProviderRow>>(PATH);
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
  const [draft, setDraft] = useState<ProviderDraft>(emptyDraft);
  const [test, setTest] = useState<ProviderTest>();
  const change = (fields: Partial<ProviderDraft>) => setDraft((old) => ({ ...old, ...fields }));
  const run = useAction(async () => {
    setTest(undefined);
    setTest(await call<ProviderTest>('POST', `${PATH}/test`, bodyOfDraft(draft)));
  });
  const builtIn = providers.filter(({ id, source }) => source === 'built-in' && id !== 'simulator');
  const { id } = bodyOfDraft(draft);
  return (
    <Section title="Provider" isCard>
      <Form
        submitLabel="Save"
        refreshes="/"
        done={`The provider ${id} serves.`}
        actions={
          <Button onClick={() => void run.run()} isRunning={run.isRunning}>
            Test
          </Button>
        }
        onSubmit={async (values) => {
          await call('POST', PATH, bodyOfDraft(draft));
          await storePicked(id, values);
          navigate(`/operator/providers/${encodeURIComponent(id)}`);
        }}
      >
        <Select
          label="Provider"
          isRequired={false}
          value={draft.builtIn}
          onChange={(value) => change({ builtIn: value })}
          options={[
            { value: '', label: 'Another address' },
            ...builtIn.map((provider) => ({ value: provider.id, label: provider.id })),
          ]}
        />
        <PlaceFields draft={draft} change={change} />
        <CredentialFields draft={draft} change={change} />
        {run.problem && <ProblemNotice problem={run.problem} />}
        {test && <TestResult test={test} />}
        {test?.ok && <ModelFields models={test.models} isBuiltIn={draft.builtIn !== ''} />}
      </Form>
    </Section>
  );
}

type FieldsProps = { draft: ProviderDraft; change: (fields: Partial<ProviderDraft>) => void };

const PlaceFields = ({ draft, change }: FieldsProps) =>
  draft.builtIn === '' ? (
    <>
      <Input label="Id" name="id" isRequired value={draft.id} onInput={(id) => change({ id })} />
      <Input
        label="Base URL"
        name="base_url"
        type="url"
        isRequired
        placeholder="https://api.example.com/v1"
        value={draft.baseUrl}
        onInput={(baseUrl) => change({ baseUrl })}
      />
      <Select
        label="Wire"
        name="wire"
        hint="The protocol of the provider."
        value={draft.wire}
        onChange={(wire) => change({ wire })}
        options={wireOptions}
      />
    </>
  ) : (
    <Input
      label="Base URL"
      name="base_url"
      type="url"
      hint="Leave it empty for the usual address."
      value={draft.baseUrl}
      onInput={(baseUrl) => change({ baseUrl })}
    />
  );

const CredentialFields = ({ draft, change }: FieldsProps) => (
  <>
    <Select
      label="Credential"
      value={draft.way}
      onChange={(way) => change({ way: way as ProviderDraft['way'] })}
      options={wayOptions}
    />
    {draft.way === 'api_key' && (
      <Input
        label="API key"
        name="api_key"
        type="password"
        autocomplete="off"
        hint="Leave it empty if the provider needs none."
        value={draft.apiKey}
        onInput={(apiKey) => change({ apiKey })}
      />
    )}
    {hasRegion(draft) && (
      <Input label="Region" name="region" value={draft.region} onInput={(region) => change({ region })} />
    )}
  </>
);

/** The models of a built-in provider are in the catalog. Others need a price and a window. */
function ModelFields({ models, isBuiltIn }: { models: readonly string[]; isBuiltIn: boolean }) {
  const catalog = useQuery<List<ModelRow>>(`${OPERATOR}/catalog`);
  const modelNames = new Set(catalog.data?.data.flatMap((model) => [model.id, ...model.aliases]));
  const unknown = models.filter((model) => !modelNames.has(publicName(model))).slice(0, 50);
  if (unknown.length === 0) return <p class="soft">The catalog has the models of this provider.</p>;
  return (
    <fieldset>
      <legend>{isBuiltIn ? 'Further models to add' : 'Models to add'}</legend>
      {unknown.map((model) => (
        <Checkbox key={model} label={model} name={PICKED + model} />
      ))}
      <Input
        label="Context window"
        name="context_window"
        type="number"
        min={1}
        value={128_000}
        suffix="tokens"
      />
      <Input
        label="Input price"
        name="input"
        type="number"
        min={0}
        step="any"
        value={0}
        suffix="USD per million"
      />
      <Input
        label="Output price"
        name="output"
        type="number"
        min={0}
        step="any"
        value={0}
        suffix="USD per million"
      />
      <p class="soft">A price of 0 makes the model free for all accounts.</p>
    </fieldset>
  );
}
