import { useState } from 'preact/hooks';
import { navigate, queryValue } from '../../app/address.ts';
import { mayOperate } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { finishChange } from '../../components/finish-change.ts';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { FoundModels, ModelFilter } from './found-models.tsx';
import { bodyOf } from './model-body.ts';
import { ModelDifference, type PendingChange, tryChange } from './model-difference.tsx';
import { newModel } from './model-fields.ts';
import { ModelFormFields } from './model-form-fields.tsx';
import { modelPath } from './model-path.ts';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { ModelRow } from './rows.ts';

/** The models with their prices, and where each of them comes from. */
export function ModelsPage() {
  return queryValue('do') === 'add' && mayOperate.value ? <NewModel /> : <ModelList />;
}

function ModelList() {
  const list = useQuery<ListOf<ModelRow>>(`${OPERATOR}/catalog`);
  return (
    <>
      <PageHeader
        title="All models"
        lead="Change a model, its prices, its plan and its routes. The change lies over the row of a file."
        actions={
          <>
            <LinkButton href="/operator/catalog">YAML</LinkButton>
            {mayOperate.value && <LinkButton href="/operator/models?do=add">Add model</LinkButton>}
          </>
        }
      />
      <ModelFilter />
      <Loaded query={list}>{({ data }) => <FoundModels models={data} columns={columns} />}</Loaded>
    </>
  );
}

function NewModel() {
  const [pending, setPending] = useState<PendingChange>();
  return (
    <>
      <PageHeader
        title="Add model"
        lead="A chat model that is priced by tokens. API, command line and YAML add models of other kinds."
      />
      {pending && (
        <ModelDifference
          pending={pending}
          onBack={() => setPending(undefined)}
          onSaved={() => {
            finishChange({ refreshes: '/', done: 'The model is served.' });
            navigate(`/operator/models/${modelPath(String(pending.body!.id))}`);
          }}
        />
      )}
      <div hidden={pending !== undefined}>
        <Section title="Row" isCard>
          <Form
            submitLabel="Show the difference"
            onSubmit={async ({ id, ...values }) => {
              const body = { id, ...bodyOf(values, newModel) };
              setPending(await tryChange({ method: 'POST', path: `${OPERATOR}/models`, body }));
            }}
          >
            <Input label="Id" name="id" isRequired hint="The name that clients use." />
            <ModelFormFields row={newModel} />
          </Form>
        </Section>
      </div>
    </>
  );
}

const columns: readonly Column<ModelRow>[] = [
  sortedBy(
    ({ id }) => id,
    headerColumn('id', 'Model', ({ id }) => <a href={`/operator/models/${modelPath(id)}`}>{id}</a>),
  ),
  textColumn('source', 'Source', ({ source, hidden }) => (
    <>
      {source} {hidden && <Badge tone="warning">hidden</Badge>}
    </>
  )),
  minor(textColumn('plan', 'Plan', ({ plan }) => plan)),
  sortedBy(
    ({ pricing_usd_per_mtok: { input } }) => input,
    numberColumn('input', 'Input, USD', ({ pricing_usd_per_mtok: { input } }) => input),
  ),
  sortedBy(
    ({ pricing_usd_per_mtok: { output } }) => output,
    numberColumn('output', 'Output, USD', ({ pricing_usd_per_mtok: { output } }) => output),
  ),
  minor(textColumn('routes', 'Providers', ({ routes }) => routes.map(({ provider }) => provider).join(', '))),
];
