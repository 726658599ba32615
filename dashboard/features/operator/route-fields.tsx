import { useQuery } from '../../app/use-query.ts';
import { Input } from '../../components/input.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Select } from '../../components/select.tsx';
import { type FormRowFields, fieldsOfRow, OriginField } from './form-row-fields.tsx';
import { FormRows } from './form-rows.tsx';
import type { ModelFormValues } from './model-form-rows.ts';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { ProviderRow } from './rows.ts';

type RouteFieldsProps = {
  values: ModelFormValues;
  /** The number of routes at first. */
  count: number;
};

/** The routes of a model, each to one of the providers. */
export function RouteFields({ values, count }: RouteFieldsProps) {
  const providers = useQuery<ListOf<ProviderRow>>(`${OPERATOR}/providers`);
  const providerIds = (providers.data?.data ?? []).map(({ id }) => id);
  return (
    <>
      {providers.problem && <ProblemNotice problem={providers.problem} />}
      {/* A form without its routes would remove them from the model. */}
      <FormRows
        legend="Routes"
        rowLabel="Route"
        addLabel="Add route"
        hint="Routes are tried by weight, then in order."
        count={count}
      >
        {(numbers) => <OneRoute fields={fieldsOfRow('routes', numbers, values)} providerIds={providerIds} />}
      </FormRows>
    </>
  );
}

type OneRouteProps = { fields: FormRowFields<'routes'>; providerIds: readonly string[] };

function OneRoute({ fields, providerIds }: OneRouteProps) {
  const provider = fields.firstValue('provider');
  // A provider that is no longer set up stays a choice of its route.
  const options = [...new Set([provider, ...providerIds])];
  return (
    <>
      <OriginField fields={fields} />
      <Select
        label="Provider"
        name={fields.nameOf('provider')}
        options={options.map((id) => ({ value: id, label: id || 'Choose a provider' }))}
        value={provider}
      />
      <Input
        label="Model at the provider"
        name={fields.nameOf('model')}
        isRequired
        value={fields.firstValue('model')}
      />
      <Input
        label="Weight"
        name={fields.nameOf('weight')}
        type="decimal"
        min={0}
        step="any"
        value={fields.firstValue('weight') || 1}
      />
    </>
  );
}
